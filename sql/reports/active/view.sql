-- active: how many devices were active daily, weekly and within the activity window, with and without widgets.
--
-- Grain    one row per (app_id, day, platform, surface, kind, family); closed days only
-- Units    distinct devices
-- Reads    active_day
-- Caveat   a device counts for a kind only if it certainly had it when the day ended: a lower bound without suspects
-- Read by  dashboards (installs); `widget-census report active`
-- Order    app_id, day, platform, surface nulls first, kind nulls first, family nulls first
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   80..400 blocks
create or replace view report.active as
select
    app.app_id,
    active_day.day,
    active_day.platform,
    case when active_day.scope <> 'all' then active_day.surface end as surface,
    case when active_day.scope in ('kind', 'kind_family') then active_day.kind end as kind,
    case when active_day.scope in ('family', 'kind_family') then active_day.family end as family,
    active_day.devices_daily,
    active_day.devices_weekly,
    active_day.devices_in_window
from census.app
join census.active_day
    on active_day.app_number = app.app_number
where active_day.devices_in_window > 0;

comment on view report.active is 'How many devices were active daily, weekly and within the activity window, with and without widgets.';
comment on column report.active.app_id is 'Bundle id or package name.';
comment on column report.active.day is 'Day in the app''s time zone.';
comment on column report.active.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column report.active.surface is 'Devices that had a widget on this surface; null: all devices, with or without one.';
comment on column report.active.kind is 'Devices that had this kind; null: any kind.';
comment on column report.active.family is 'Devices that had this family; null: any family, sent or not.';
comment on column report.active.devices_daily is 'Distinct devices heard from that day.';
comment on column report.active.devices_weekly is 'Distinct devices heard from in the seven days ending that day, or in the activity window if that is shorter.';
comment on column report.active.devices_in_window is 'Distinct devices heard from in the activity window ending that day.';
