-- widgets_per_device: how many widgets devices have, day by day.
--
-- Grain    one row per (app_id, day, platform, widgets); closed days only
-- Units    devices heard from in the activity window that ended with the day; each is once in each column
-- Reads    widget_count_day
-- Caveat   only sums over the rows from a number upward are bounds: at least and at most so many devices have that many widgets
--          or more. Surfaces widget and today; widgets are counted low because the OS may merge identical ones
-- Read by  `widget-census report widgets_per_device`
-- Order    app_id, day, platform, length(widgets), widgets
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   15..62 blocks
create or replace view report.widgets_per_device as
select
    app.app_id,
    counted.day,
    counted.platform,
    case when counted.widgets <= 10 then counted.widgets::text else '11+' end as widgets,
    counted.devices_certain,
    counted.devices_possible
from census.app
join census.widget_count_day as counted
    on counted.app_number = app.app_number;

comment on view report.widgets_per_device is 'How many widgets devices have, day by day.';
comment on column report.widgets_per_device.app_id is 'Bundle id or package name.';
comment on column report.widgets_per_device.day is 'Day in the app''s time zone.';
comment on column report.widgets_per_device.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.widgets_per_device.widgets is 'Number of placements on the surfaces widget and today: 0 to 10, or 11+ for more.';
comment on column report.widgets_per_device.devices_certain is 'Devices with this many certain placements: the distribution at its lowest.';
comment on column report.widgets_per_device.devices_possible is 'Devices with this many certain or possible placements: the distribution at its highest.';
