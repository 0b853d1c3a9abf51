-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of install_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.install_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        cell,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible,
        widgets_reported
),
net as (
    select
        day,
        cell,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible,
        sum(widgets_reported)::bigint as widgets_reported
    from taken
    group by
        day,
        cell
),
touched as (
    select distinct on (cell)
        cell,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        day as first_day
    from taken
    order by
        cell,
        day
),
running as (
    select
        closed_day.day,
        touched.cell,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
        (sum(net.widgets_reported) over so_far)::bigint as widgets_reported
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.cell = touched.cell
    window so_far as (
        partition by
            touched.cell
        order by closed_day.day)
),
restated as (
    select
        running.day,
        touched.surface,
        touched.kind,
        touched.family,
        touched.app_version,
        touched.os_version,
        touched.platform,
        coalesce(install_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(install_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(install_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(install_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
        coalesce(install_day.widgets_reported, 0) + running.widgets_reported as widgets_reported
    from running
    join touched
        on touched.cell = running.cell
    left join census.install_day
        on install_day.app_number = $1
        and install_day.day = running.day
        and install_day.cell = running.cell
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
        or running.widgets_reported <> 0
)
insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported)
select
    $1,
    day,
    surface,
    kind,
    family,
    app_version,
    os_version,
    platform,
    devices_certain,
    devices_possible,
    widgets_certain,
    widgets_possible,
    widgets_reported
from restated
on conflict (app_number, day, cell) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible,
    widgets_reported = excluded.widgets_reported
returning install_day.day
