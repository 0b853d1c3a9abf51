-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of version_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.version_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible
),
net as (
    select
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible
    from taken
    group by
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform
),
touched as (
    select
        surface,
        kind,
        app_version,
        os_version,
        platform,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        app_version,
        os_version,
        platform
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.app_version,
        touched.os_version,
        touched.platform,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.app_version = touched.app_version
        and net.os_version = touched.os_version
        and net.platform = touched.platform
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.app_version,
            touched.os_version,
            touched.platform
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.app_version,
        running.os_version,
        running.platform,
        coalesce(version_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(version_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(version_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(version_day.widgets_possible, 0) + running.widgets_possible as widgets_possible
    from running
    left join census.version_day
        on version_day.app_number = $1
        and version_day.day = running.day
        and version_day.surface = running.surface
        and version_day.kind = running.kind
        and version_day.app_version = running.app_version
        and version_day.os_version = running.os_version
        and version_day.platform = running.platform
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
)
insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    $1,
    day,
    surface,
    kind,
    app_version,
    os_version,
    platform,
    devices_certain,
    devices_possible,
    widgets_certain,
    widgets_possible
from restated
on conflict (app_number, day, surface, kind, app_version, os_version, platform) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible
returning version_day.day
