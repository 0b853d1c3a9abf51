-- live_installs: how many devices had each widget kind at the end of each day, by family, app version, OS version and platform.
--
-- Grain    one row per (app_id, day, surface, kind, family, app_version, os_version, platform); closed days only
-- Units    devices: distinct devices within the row; widgets: placements, counted low because the OS may merge identical ones
-- Reads    install_day
-- Caveat   a device can have several families, so never sum devices over rows: live_kinds counts the devices of a kind
-- Read by  dashboards (decision, installs); `widget-census report live_installs`
-- Order    app_id, day, surface, kind, family nulls first, app_version, os_version nulls first, platform
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
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

comment on view report.live_installs is 'How many devices had each widget kind at the end of each day, by family, app version, OS version and platform.';
comment on column report.live_installs.app_id is 'Bundle id or package name.';
comment on column report.live_installs.day is 'Day at whose end we counted, in the app''s time zone.';
comment on column report.live_installs.surface is 'widget, control, live_activity or today.';
comment on column report.live_installs.kind is 'The widget''s kind.';
comment on column report.live_installs.family is 'systemSmall and so on; null if the app does not send it.';
comment on column report.live_installs.app_version is 'App version on the device when the day ended.';
comment on column report.live_installs.os_version is 'OS version, major and minor; null if not sent.';
comment on column report.live_installs.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.live_installs.devices_certain is 'At least this many devices had such a widget (lower bound).';
comment on column report.live_installs.devices_possible is 'At most this many devices had such a widget (upper bound).';
comment on column report.live_installs.widgets_certain is 'Certain placements.';
comment on column report.live_installs.widgets_possible is 'Certain or possible placements.';
comment on column report.live_installs.widgets_reported is 'Placements that the OS listed: the naive number.';
