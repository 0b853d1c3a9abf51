-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to move_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.move_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        widgets_added,
        widgets_removed,
        devices_added,
        devices_removed
),
net as (
    select
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        sum(widgets_added)::bigint as widgets_added,
        sum(widgets_removed)::bigint as widgets_removed,
        sum(devices_added)::bigint as devices_added,
        sum(devices_removed)::bigint as devices_removed
    from taken
    group by
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform
)
insert into census.move_day (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.cause,
    net.app_version,
    net.os_version,
    net.platform,
    coalesce(move_day.widgets_added, 0) + net.widgets_added,
    coalesce(move_day.widgets_removed, 0) + net.widgets_removed,
    coalesce(move_day.devices_added, 0) + net.devices_added,
    coalesce(move_day.devices_removed, 0) + net.devices_removed
from net
left join census.move_day
    on move_day.app_number = $1
    and move_day.day = net.day
    and move_day.surface = net.surface
    and move_day.kind = net.kind
    and move_day.cause = net.cause
    and move_day.app_version = net.app_version
    and move_day.os_version = net.os_version
    and move_day.platform = net.platform
where net.widgets_added <> 0
    or net.widgets_removed <> 0
    or net.devices_added <> 0
    or net.devices_removed <> 0
on conflict (app_number, day, surface, kind, cause, app_version, os_version, platform) do update set
    widgets_added = excluded.widgets_added,
    widgets_removed = excluded.widgets_removed,
    devices_added = excluded.devices_added,
    devices_removed = excluded.devices_removed
returning move_day.day
