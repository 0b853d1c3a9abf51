-- changes_by_version: how many widgets were added and removed each day, by app version and OS version.
--
-- Grain    one row per (app_id, day, surface, kind, cause, app_version, os_version, platform); closed days only
-- Units    placements that became certain or stopped being certain; distinct devices that gained or lost their last certain one
-- Reads    move_day
-- Caveat   gross, not net; the version is the one that first showed the change: after an update it is the new one
-- Read by  dashboards (installs, losses); `widget-census report changes_by_version`
-- Order    app_id, day, surface, kind, cause, app_version, os_version nulls first, platform
-- Spare    devices_added, devices_removed, widgets_added
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   90..900 blocks
create or replace view report.changes_by_version as
select
    app.app_id,
    move_day.day,
    move_day.surface,
    move_day.kind,
    move_day.cause,
    nullif(move_day.app_version, '') as app_version,
    nullif(move_day.os_version, '') as os_version,
    nullif(move_day.platform, '') as platform,
    move_day.widgets_added,
    move_day.widgets_removed,
    move_day.devices_added,
    move_day.devices_removed
from census.app
join census.move_day
    on move_day.app_number = app.app_number
where move_day.widgets_added > 0
    or move_day.widgets_removed > 0
    or move_day.devices_added > 0
    or move_day.devices_removed > 0;

comment on view report.changes_by_version is 'How many widgets were added and removed each day, by app version and OS version.';
comment on column report.changes_by_version.app_id is 'Bundle id or package name.';
comment on column report.changes_by_version.day is 'Day in the app''s time zone.';
comment on column report.changes_by_version.surface is 'widget, control, live_activity or today.';
comment on column report.changes_by_version.kind is 'The widget''s kind.';
comment on column report.changes_by_version.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
comment on column report.changes_by_version.app_version is 'App version that first showed the change.';
comment on column report.changes_by_version.os_version is 'OS version at that time, major and minor; null if not sent.';
comment on column report.changes_by_version.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.changes_by_version.widgets_added is 'Placements that became certain.';
comment on column report.changes_by_version.widgets_removed is 'Placements that stopped being certain.';
comment on column report.changes_by_version.devices_added is 'Devices on which the kind became certain.';
comment on column report.changes_by_version.devices_removed is 'Devices on which the kind stopped being certain.';
