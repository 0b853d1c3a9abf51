-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what device_day held at the end of the day $2 before them.
insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned)
select
    $1,
    listed.day,
    device_day.app_version,
    device_day.os_version,
    device_day.platform,
    device_day.gallery_policy,
    device_day.devices_active,
    device_day.devices_with_widget,
    device_day.devices_reporting,
    device_day.devices_cloned
from census.device_day
cross join unnest($3::date[]) as listed (day)
where device_day.app_number = $1
    and device_day.day = $2
