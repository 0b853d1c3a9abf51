-- adoption: what share of devices has any widget, by app version and OS version.
--
-- Grain    one row per (app_id, day, app_version, os_version); closed days only
-- Units    devices heard from in the activity window that ended with the day; share 0..1
-- Reads    device_day
-- Caveat   placements on the home screen (surfaces widget and today) only; share is a lower bound; versions as of the day's end
-- Read by  dashboards (decision, installs, losses, quality); `widget-census report adoption`
-- Order    app_id, day, app_version, os_version nulls first
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   20..90 blocks
create or replace view report.adoption as
select
    app.app_id,
    counted.day,
    counted.app_version,
    nullif(counted.os_version, '') as os_version,
    counted.devices_active,
    counted.devices_with_any_widget,
    round(counted.devices_with_any_widget::numeric / counted.devices_active, 4) as share,
    counted.devices_with_any_widget_possible
from census.app
cross join lateral (
    select
        device_day.day,
        device_day.app_version,
        device_day.os_version,
        sum(device_day.devices_active)::bigint as devices_active,
        sum(device_day.devices_with_widget)::bigint as devices_with_any_widget,
        sum(device_day.devices_with_widget_possible)::bigint as devices_with_any_widget_possible
    from census.device_day
    where device_day.app_number = app.app_number
    group by
        device_day.day,
        device_day.app_version,
        device_day.os_version
    having sum(device_day.devices_active) > 0
) as counted;

comment on view report.adoption is 'What share of devices has any widget, by app version and OS version.';
comment on column report.adoption.app_id is 'Bundle id or package name.';
comment on column report.adoption.day is 'Day in the app''s time zone.';
comment on column report.adoption.app_version is 'App version on the device when the day ended.';
comment on column report.adoption.os_version is 'OS version, major and minor; null if not sent.';
comment on column report.adoption.devices_active is 'Devices heard from in the activity window that ended with the day.';
comment on column report.adoption.devices_with_any_widget is 'Of these, certainly had a placement on the surface widget or today.';
comment on column report.adoption.share is 'devices_with_any_widget / devices_active.';
comment on column report.adoption.devices_with_any_widget_possible is 'Of devices_active, certainly or possibly had a placement on the surface widget or today (upper bound).';
