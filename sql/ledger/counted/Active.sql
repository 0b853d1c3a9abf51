{include live_spans},
{include live_phases},
-- When each device was last heard from in the seven days that end with the asked one.
heard as (
    select
        device_use.device_id,
        max(device_use.month + done.day_of_month - 1) as last_day
    from census.device_use
    cross join lateral unnest(device_use.days) as done (day_of_month)
    where device_use.app_number = $1
        and device_use.use = 'heard'
        and device_use.month + done.day_of_month - 1 between $2::date - 6 and $2::date
    group by device_use.device_id
),
scoped as (
    select
        device_id,
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
        (device_id, surface, kind, family),
        (device_id, surface, kind),
        (device_id, surface, family),
        (device_id, surface)
    )
    -- A family that is not sent is counted with any.
    having grouping(family) = 1
        or family <> ''
    union all
    select
        device_id,
        'all',
        '',
        '',
        ''
    from live_phase
),
counted as (
    select
        scoped.scope,
        scoped.surface,
        scoped.kind,
        scoped.family,
        live_phase.platform,
        count(*) filter (where heard.last_day = $2::date) as devices_daily,
        count(heard.last_day) as devices_weekly,
        count(*) as devices_in_window
    from scoped
    join live_phase
        on live_phase.device_id = scoped.device_id
    left join heard
        on heard.device_id = scoped.device_id
    group by
        scoped.scope,
        scoped.surface,
        scoped.kind,
        scoped.family,
        live_phase.platform
)
