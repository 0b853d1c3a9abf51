{include live_spans},
{include live_phases},
-- What each device is, whatever it runs.
platform as (
    select
        device_id,
        platform,
        lower(days) as first,
        upper(days) - 1 as last
    from (
        select
            device_id,
            platform,
            unnest(range_agg(int4range(first, last + 1))) as days
        from live_phase
        group by
            device_id,
            platform
    ) as ran
),
scoped as (
    select
        device_id,
        first,
        last,
        case when grouping(kind) = 0 and grouping(family) = 0 then 'kind_family'
            when grouping(kind) = 0 then 'kind'
            when grouping(family) = 0 then 'family'
            else 'surface' end as scope,
        surface,
        coalesce(kind, '') as kind,
        coalesce(family, '') as family
    from live_span
    where certain > 0
    group by grouping sets (
        (device_id, first, last, surface, kind, family),
        (device_id, first, last, surface, kind),
        (device_id, first, last, surface, family),
        (device_id, first, last, surface)
    )
    -- A family that is not sent is counted with any.
    having grouping(family) = 1
        or family <> ''
),
-- All that a device is counted for: devices differ less in it than they are many.
profile as (
    select
        device_id,
        first,
        last,
        array_agg(array[scope, surface, kind, family] order by scope, surface, kind, family) as cells
    from scoped
    group by
        device_id,
        first,
        last
    union all
    select
        device_id,
        1,
        cardinality($2::date[]),
        array[array['all', '', '', '']]
    from census.counted_device
    where app_number = $1
),
-- When each device is counted, and as what: daily on the days on which it was heard from, weekly on those and six more.
heard as (
    select
        device_use.device_id,
        range_agg(daterange(its.day, its.day + 1)) as daily,
        range_agg(daterange(its.day, its.day + 7)) as weekly
    from census.device_use
    cross join lateral unnest(device_use.days) as done (day_of_month)
    cross join lateral (
        select device_use.month + done.day_of_month - 1 as day
    ) as its
    where device_use.app_number = $1
        and device_use.use = 'heard'
    group by device_use.device_id
),
seen as (
    select
        device_id,
        1 as first,
        cardinality($2::date[]) as last,
        0 as daily,
        0 as weekly,
        1 as in_window
    from census.counted_device
    where app_number = $1
    union all
    select
        heard.device_id,
        width_bucket(lower(its.days) - 1, $2::date[]) + 1,
        width_bucket(upper(its.days) - 1, $2::date[]),
        its.daily,
        its.weekly,
        0
    from heard
    cross join lateral (
        select
            unnest(heard.daily) as days,
            1 as daily,
            0 as weekly
        union all
        select
            unnest(heard.weekly),
            0,
            1
    ) as its
),
counted_profile as (
    select
        its_days.first,
        its_days.last,
        profile.cells,
        platform.platform,
        sum(seen.daily) as daily,
        sum(seen.weekly) as weekly,
        sum(seen.in_window) as in_window
    from profile
    join platform
        on platform.device_id = profile.device_id
        and platform.first <= profile.last
        and platform.last >= profile.first
    join seen
        on seen.device_id = profile.device_id
        and seen.first <= profile.last
        and seen.last >= profile.first
        and seen.first <= platform.last
        and seen.last >= platform.first
    cross join lateral (
        select
            greatest(profile.first, platform.first, seen.first) as first,
            least(profile.last, platform.last, seen.last) as last
    ) as its_days
    group by
        its_days.first,
        its_days.last,
        profile.cells,
        platform.platform
),
counted as (
    select
        first,
        last,
        cells[number][1] as scope,
        cells[number][2] as surface,
        cells[number][3] as kind,
        cells[number][4] as family,
        platform,
        sum(daily) as devices_daily,
        sum(weekly) as devices_weekly,
        sum(in_window) as devices_in_window
    from counted_profile
    cross join lateral generate_subscripts(cells, 1) as number
    group by
        first,
        last,
        scope,
        surface,
        kind,
        family,
        platform
)
