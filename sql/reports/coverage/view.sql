-- coverage: for how many devices we know the state, day by day.
--
-- Grain    one row per (app_id, day), for every closed day
-- Units    devices heard from in the activity window that ended with the day; reads of the day itself; share 0..1
-- Reads    closed_day, device_day, read_quarter, kind_act
-- Caveat   reads count on the day they were made, even from devices that are not active; only the channel production
-- Read by  dashboards (decision, installs, losses, quality); `widget-census report coverage`
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   90..380 blocks
create or replace view report.coverage as
select
    app.app_id,
    closed_day.day,
    coalesce(active.devices, 0) as devices_active,
    coalesce(active.reporting, 0) as devices_reporting,
    round(active.reporting::numeric / nullif(active.devices, 0), 4) as share_reporting,
    coalesce(read.reads, 0) as reads,
    coalesce(read.reads_failed, 0) as reads_failed,
    coalesce(active.cloned, 0) as devices_cloned,
    case when policy.version is not null then coalesce(active.applied, 0) end as policy_applied
from census.app
join census.closed_day
    on closed_day.app_number = app.app_number
-- In every zone a quarter-hour lies within one day, so this holds even after the app's zone has changed. When the clocks
-- are set back across midnight, only the quarter itself says which day it is in.
cross join lateral (
    select
        sum(read_quarter.reads)::bigint as reads,
        sum(read_quarter.reads_failed)::bigint as reads_failed
    from census.read_quarter
    where read_quarter.app_number = closed_day.app_number
        and read_quarter.quarter_at >= (closed_day.day::timestamp at time zone app.zone) - interval '2 hours'
        and read_quarter.quarter_at < ((closed_day.day + 1)::timestamp at time zone app.zone) + interval '2 hours'
        and (read_quarter.quarter_at at time zone app.zone)::date = closed_day.day
) as read
-- The policy in force when the day ended. A device's clock may place a newer one in the day. A number above the newest was
-- never issued.
cross join lateral (
    select
        max(kind_act.act_number) filter (
            where kind_act.acted_at < ((closed_day.day + 1)::timestamp at time zone app.zone)) as version,
        max(kind_act.act_number) as newest
    from census.kind_act
    where kind_act.app_number = app.app_number
) as policy
cross join lateral (
    select
        sum(device_day.devices_active)::bigint as devices,
        sum(device_day.devices_reporting)::bigint as reporting,
        sum(device_day.devices_cloned)::bigint as cloned,
        sum(device_day.devices_active) filter (
            where device_day.gallery_policy between policy.version and policy.newest)::bigint as applied
    from census.device_day
    where device_day.app_number = closed_day.app_number
        and device_day.day = closed_day.day
) as active;

comment on view report.coverage is 'For how many devices we know the state, day by day.';
comment on column report.coverage.app_id is 'Bundle id or package name.';
comment on column report.coverage.day is 'Day in the app''s time zone.';
comment on column report.coverage.devices_active is 'Devices heard from in the activity window that ended with the day.';
comment on column report.coverage.devices_reporting is 'Active devices that sent a successful report within the window.';
comment on column report.coverage.share_reporting is 'devices_reporting / devices_active; null if no device was active.';
comment on column report.coverage.reads is 'How often apps read the widget list that day.';
comment on column report.coverage.reads_failed is 'Of these, reads that failed.';
comment on column report.coverage.devices_cloned is 'Active devices known to exist twice: an installation that had ended kept sending.';
comment on column report.coverage.policy_applied is 'Active devices that had applied the gallery policy in force when the day ended; null before the first policy.';
