-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- active_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
),
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
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        scope,
        surface,
        kind,
        family,
        platform,
        change.sign * devices_daily as counted_devices_daily,
        change.sign * devices_weekly as counted_devices_weekly,
        change.sign * devices_in_window as counted_devices_in_window,
        0 as ledger_devices_daily,
        0 as ledger_devices_weekly,
        0 as ledger_devices_in_window
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        scope,
        surface,
        kind,
        family,
        platform,
        0,
        0,
        0,
        change.sign * devices_daily,
        change.sign * devices_weekly,
        change.sign * devices_in_window
    from census.active_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        scope,
        surface,
        kind,
        family,
        platform,
        0,
        0,
        0,
        devices_daily,
        devices_weekly,
        devices_in_window
    from census.active_entry
    where app_number = $1
),
level as (
    select
        position,
        scope,
        surface,
        kind,
        family,
        platform,
        sum(sum(counted_devices_daily)) over so_far as counted_devices_daily,
        sum(sum(counted_devices_weekly)) over so_far as counted_devices_weekly,
        sum(sum(counted_devices_in_window)) over so_far as counted_devices_in_window,
        sum(sum(ledger_devices_daily)) over so_far as ledger_devices_daily,
        sum(sum(ledger_devices_weekly)) over so_far as ledger_devices_weekly,
        sum(sum(ledger_devices_in_window)) over so_far as ledger_devices_in_window
    from changed
    group by
        position,
        scope,
        surface,
        kind,
        family,
        platform
    window so_far as (
        partition by
            scope,
            surface,
            kind,
            family,
            platform
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', scope, surface, kind, family, platform) as cell,
        concat_ws(
            ' ',
            ledger_devices_daily,
            ledger_devices_weekly,
            ledger_devices_in_window
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_daily,
            counted_devices_weekly,
            counted_devices_in_window
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number
