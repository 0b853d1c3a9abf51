-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of device_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.device_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        app_version,
        os_version,
        platform,
        gallery_policy,
        devices_active,
        devices_with_widget,
        devices_reporting,
        devices_cloned
),
net as (
    select
        day,
        app_version,
        os_version,
        platform,
        gallery_policy,
        sum(devices_active)::bigint as devices_active,
        sum(devices_with_widget)::bigint as devices_with_widget,
        sum(devices_reporting)::bigint as devices_reporting,
        sum(devices_cloned)::bigint as devices_cloned
    from taken
    group by
        day,
        app_version,
        os_version,
        platform,
        gallery_policy
),
touched as (
    select
        app_version,
        os_version,
        platform,
        gallery_policy,
        min(day) as first_day
    from net
    group by
        app_version,
        os_version,
        platform,
        gallery_policy
),
running as (
    select
        closed_day.day,
        touched.app_version,
        touched.os_version,
        touched.platform,
        touched.gallery_policy,
        (sum(net.devices_active) over so_far)::bigint as devices_active,
        (sum(net.devices_with_widget) over so_far)::bigint as devices_with_widget,
        (sum(net.devices_reporting) over so_far)::bigint as devices_reporting,
        (sum(net.devices_cloned) over so_far)::bigint as devices_cloned
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.app_version = touched.app_version
        and net.os_version = touched.os_version
        and net.platform = touched.platform
        and net.gallery_policy = touched.gallery_policy
    window so_far as (
        partition by
            touched.app_version,
            touched.os_version,
            touched.platform,
            touched.gallery_policy
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.app_version,
        running.os_version,
        running.platform,
        running.gallery_policy,
        coalesce(device_day.devices_active, 0) + running.devices_active as devices_active,
        coalesce(device_day.devices_with_widget, 0) + running.devices_with_widget as devices_with_widget,
        coalesce(device_day.devices_reporting, 0) + running.devices_reporting as devices_reporting,
        coalesce(device_day.devices_cloned, 0) + running.devices_cloned as devices_cloned
    from running
    left join census.device_day
        on device_day.app_number = $1
        and device_day.day = running.day
        and device_day.app_version = running.app_version
        and device_day.os_version = running.os_version
        and device_day.platform = running.platform
        and device_day.gallery_policy = running.gallery_policy
    where running.devices_active <> 0
        or running.devices_with_widget <> 0
        or running.devices_reporting <> 0
        or running.devices_cloned <> 0
)
insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned)
select
    $1,
    day,
    app_version,
    os_version,
    platform,
    gallery_policy,
    devices_active,
    devices_with_widget,
    devices_reporting,
    devices_cloned
from restated
on conflict (app_number, day, app_version, os_version, platform, gallery_policy) do update set
    devices_active = excluded.devices_active,
    devices_with_widget = excluded.devices_with_widget,
    devices_reporting = excluded.devices_reporting,
    devices_cloned = excluded.devices_cloned
returning device_day.day
