-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of active_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.active_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        scope,
        surface,
        kind,
        family,
        platform,
        devices_daily,
        devices_weekly,
        devices_in_window
),
net as (
    select
        day,
        scope,
        surface,
        kind,
        family,
        platform,
        sum(devices_daily)::bigint as devices_daily,
        sum(devices_weekly)::bigint as devices_weekly,
        sum(devices_in_window)::bigint as devices_in_window
    from taken
    group by
        day,
        scope,
        surface,
        kind,
        family,
        platform
),
touched as (
    select
        scope,
        surface,
        kind,
        family,
        platform,
        min(day) as first_day
    from net
    group by
        scope,
        surface,
        kind,
        family,
        platform
),
running as (
    select
        closed_day.day,
        touched.scope,
        touched.surface,
        touched.kind,
        touched.family,
        touched.platform,
        (sum(net.devices_daily) over so_far)::bigint as devices_daily,
        (sum(net.devices_weekly) over so_far)::bigint as devices_weekly,
        (sum(net.devices_in_window) over so_far)::bigint as devices_in_window
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.scope = touched.scope
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.family = touched.family
        and net.platform = touched.platform
    window so_far as (
        partition by
            touched.scope,
            touched.surface,
            touched.kind,
            touched.family,
            touched.platform
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.scope,
        running.surface,
        running.kind,
        running.family,
        running.platform,
        coalesce(active_day.devices_daily, 0) + running.devices_daily as devices_daily,
        coalesce(active_day.devices_weekly, 0) + running.devices_weekly as devices_weekly,
        coalesce(active_day.devices_in_window, 0) + running.devices_in_window as devices_in_window
    from running
    left join census.active_day
        on active_day.app_number = $1
        and active_day.day = running.day
        and active_day.scope = running.scope
        and active_day.surface = running.surface
        and active_day.kind = running.kind
        and active_day.family = running.family
        and active_day.platform = running.platform
    where running.devices_daily <> 0
        or running.devices_weekly <> 0
        or running.devices_in_window <> 0
)
insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    $1,
    day,
    scope,
    surface,
    kind,
    family,
    platform,
    devices_daily,
    devices_weekly,
    devices_in_window
from restated
on conflict (app_number, day, scope, surface, kind, family, platform) do update set
    devices_daily = excluded.devices_daily,
    devices_weekly = excluded.devices_weekly,
    devices_in_window = excluded.devices_in_window
returning active_day.day
