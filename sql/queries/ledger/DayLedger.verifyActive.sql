-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- active_day.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- The spans of app $1 that are live when the asked day ends, in the app's zone $4.
live_span as (
    select
        span.device_id,
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
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when span.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone span.zone end as ends_at
    ) as its_day
    where span.app_number = $1
        and span.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when span.to_at is null then true else span.to_at >= its_day.ends_at end
),
-- The phases of devices of app $1 that last when the asked day ends, in the app's zone $4.
live_phase as (
    select
        phase.device_id,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        phase.is_reporting and coalesce(phase.lapsed_at, 'infinity') >= its_day.ends_at as is_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when phase.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone phase.zone end as ends_at
    ) as its_day
    where phase.app_number = $1
        and phase.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when phase.to_at is null then true else phase.to_at >= its_day.ends_at end
),
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
),
ledger as (
    select
        scope,
        surface,
        kind,
        family,
        platform,
        sum(devices_daily) as devices_daily,
        sum(devices_weekly) as devices_weekly,
        sum(devices_in_window) as devices_in_window
    from (
        select
            scope,
            surface,
            kind,
            family,
            platform,
            devices_daily,
            devices_weekly,
            devices_in_window
        from census.active_day
        where app_number = $1
            and day = $2::date
        union all
        select
            scope,
            surface,
            kind,
            family,
            platform,
            devices_daily,
            devices_weekly,
            devices_in_window
        from census.active_entry
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        scope,
        surface,
        kind,
        family,
        platform
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', scope, surface, kind, family, platform) as cell,
        concat_ws(
            ' ',
            ledger.devices_daily,
            ledger.devices_weekly,
            ledger.devices_in_window
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_daily,
            counted.devices_weekly,
            counted.devices_in_window
        ) as counted
    from ledger
    full join counted
        using (scope, surface, kind, family, platform)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5
