-- usage: how often widgets of each kind were opened, configured and rendered each day, and on how many devices.
--
-- Grain    one row per (app_id, day, surface, kind, event); closed days only
-- Units    distinct devices; events, each counted once no matter how often it was delivered
-- Reads    use_day
-- Caveat   only what apps send: on iOS the app sees a tap only if the tap opens it; no row means that no event was sent
-- Read by  dashboards (installs); `widget-census report usage`
-- Empty    no closed day has matching rows, or no app sends these events; see docs/reference/contract.md
-- Budget   60..300 blocks
create or replace view report.usage as
select
    app.app_id,
    use_day.day,
    use_day.surface,
    use_day.kind,
    use_day.use as event,
    use_day.devices,
    use_day.events
from census.app
join census.use_day
    on use_day.app_number = app.app_number
where use_day.events > 0
    and use_day.use not in ('installed', 'removed');

comment on view report.usage is 'How often widgets of each kind were opened, configured and rendered each day, and on how many devices.';
comment on column report.usage.app_id is 'Bundle id or package name.';
comment on column report.usage.day is 'Day in the app''s time zone.';
comment on column report.usage.surface is 'widget, control, live_activity or today.';
comment on column report.usage.kind is 'The widget''s kind.';
comment on column report.usage.event is 'opened, configured or rendered.';
comment on column report.usage.devices is 'Distinct devices that sent such an event.';
comment on column report.usage.events is 'How many such events they sent.';
