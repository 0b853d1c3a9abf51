-- adoption_by_platform: what share of devices has any widget, by platform, app version and OS version.
--
-- Grain    one row per (app_id, day, platform, app_version, os_version); closed days only
-- Units    devices heard from in the activity window that ended with the day; share 0..1
-- Reads    device_day
-- Caveat   placements on the home screen (surfaces widget and today) only; versions as of the day's end
-- Read by  `widget-census report adoption_by_platform`
-- Order    app_id, day, platform, app_version, os_version nulls first
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   20..90 blocks
create or replace view report.adoption_by_platform as
select
    app.app_id,
    counted.day,
    counted.platform,
    counted.app_version,
    nullif(counted.os_version, '') as os_version,
    counted.devices_active,
    counted.devices_with_any_widget,
    counted.devices_with_any_widget_possible,
    round(counted.devices_with_any_widget::numeric / counted.devices_active, 4) as share,
    round(counted.devices_with_any_widget_possible::numeric / counted.devices_active, 4) as share_possible
from census.app
cross join lateral (
    select
        device_day.day,
        device_day.platform,
        device_day.app_version,
        device_day.os_version,
        sum(device_day.devices_active)::bigint as devices_active,
        sum(device_day.devices_with_widget)::bigint as devices_with_any_widget,
        sum(device_day.devices_with_widget_possible)::bigint as devices_with_any_widget_possible
    from census.device_day
    where device_day.app_number = app.app_number
    group by
        device_day.day,
        device_day.platform,
        device_day.app_version,
        device_day.os_version
    having sum(device_day.devices_active) > 0
) as counted;

comment on view report.adoption_by_platform is 'What share of devices has any widget, by platform, app version and OS version.';
comment on column report.adoption_by_platform.app_id is 'Bundle id or package name.';
comment on column report.adoption_by_platform.day is 'Day in the app''s time zone.';
comment on column report.adoption_by_platform.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.adoption_by_platform.app_version is 'App version on the device when the day ended.';
comment on column report.adoption_by_platform.os_version is 'OS version, major and minor; null if not sent.';
comment on column report.adoption_by_platform.devices_active is 'Devices heard from in the activity window that ended with the day.';
comment on column report.adoption_by_platform.devices_with_any_widget is 'Of these, certainly had a placement on the surface widget or today (lower bound).';
comment on column report.adoption_by_platform.devices_with_any_widget_possible is 'Of devices_active, certainly or possibly had one (upper bound).';
comment on column report.adoption_by_platform.share is 'devices_with_any_widget / devices_active.';
comment on column report.adoption_by_platform.share_possible is 'devices_with_any_widget_possible / devices_active.';
