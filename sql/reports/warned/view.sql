-- warned: which probable app mistakes the server accepted with a warning, and on how many devices, by app version.
--
-- Grain    one row per (app_id, day, code, app_version); the day of receipt, in UTC whatever the app's zone
-- Units    devices: distinct per day and code; one that ran several versions counts under that of its newest events
-- Reads    warned
-- Caveat   includes today; warnings about what a manifest does not declare are not stored: see `report zombies`
-- Read by  dashboards (quality); `widget-census report warned`
-- Order    app_id, day, devices desc, code, app_version
-- Empty    no matching warning was given
-- Budget   20..350 blocks
create or replace view report.warned as
select
    app.app_id,
    warned.warned_on as day,
    warned.code,
    warned.app_version,
    count(*) as devices,
    -- Compared by bytes, so that every collation gives the same one.
    min(warned.message collate "C") as example
from census.warned
join census.app
    on app.app_number = warned.app_number
group by
    app.app_number,
    app.app_id,
    warned.warned_on,
    warned.code,
    warned.app_version;

comment on view report.warned is 'Which probable app mistakes the server accepted with a warning, and on how many devices, by app version.';
comment on column report.warned.app_id is 'Bundle id or package name.';
comment on column report.warned.day is 'Day of receipt, in UTC.';
comment on column report.warned.code is 'Warning code that the sender got, such as unknown_field or os_version.';
comment on column report.warned.app_version is 'App version that sent it.';
comment on column report.warned.devices is 'Distinct devices, no matter how often each of them sent it.';
comment on column report.warned.example is 'Message that one of the senders got; the same one on every query.';
