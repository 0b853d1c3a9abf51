-- live_installs: where the widgets live, by everything that tells installs apart.
--
-- Grain    one row per (app_id, day, surface, kind, family, app_version, os_version, platform); closed days only
-- Units    devices: distinct devices within the row; widgets: placements, a lower bound
-- Reads    install_day
-- Caveat   a device may hold several families: devices don't add up over them, live_kinds has the count of a kind
-- Read by  dashboards (decision, installs); `widget-census report live_installs`
-- Order    app_id, day, surface, kind, family nulls first, app_version, os_version nulls first, platform
-- Empty    no closed day has anything that matches; `widget-census nightly` closes days
-- Budget   250..1000 blocks
create or replace view report.live_installs as
select
    app.app_id,
    install_day.day,
    install_day.surface,
    install_day.kind,
    nullif(install_day.family, '') as family,
    install_day.app_version,
    nullif(install_day.os_version, '') as os_version,
    install_day.platform,
    install_day.devices_certain,
    install_day.devices_possible,
    install_day.widgets_certain,
    install_day.widgets_possible,
    install_day.widgets_reported
from census.app
join census.install_day
    on install_day.app_number = app.app_number;

comment on view report.live_installs is 'Where the widgets live, by everything that tells installs apart.';
comment on column report.live_installs.app_id is 'Bundle id or package name.';
comment on column report.live_installs.day is 'The day at whose end was counted, in the app''s zone.';
comment on column report.live_installs.surface is 'widget, control, live_activity or today.';
comment on column report.live_installs.kind is 'The widget''s kind.';
comment on column report.live_installs.family is 'systemSmall and so on; null where the app does not send it.';
comment on column report.live_installs.app_version is 'The version of the app that the device ran when the day ended.';
comment on column report.live_installs.os_version is 'Its OS version, major and minor; null when not sent.';
comment on column report.live_installs.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.live_installs.devices_certain is 'Devices that certainly held it: the lower bound.';
comment on column report.live_installs.devices_possible is 'Devices that certainly or possibly held it: the upper bound.';
comment on column report.live_installs.widgets_certain is 'Placements that were certain.';
comment on column report.live_installs.widgets_possible is 'Placements that were certain or possible.';
comment on column report.live_installs.widgets_reported is 'Placements that the OS claimed: the naive number.';
