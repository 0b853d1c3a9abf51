-- warned: on how many devices the server took what is probably a mistake of the app, by the version that sends it.
--
-- Grain    one row per (app_id, day, code, app_version); the day of receipt, in UTC whatever the app's zone
-- Units    devices: distinct on a day and code; one that ran several versions counts with the one of its newest events
-- Reads    warned
-- Caveat   includes today; what manifests do not declare is warned of and not kept: `report zombies` counts it
-- Read by  dashboards (quality); `widget-census report warned`
-- Order    app_id, day, devices desc, code, app_version
-- Empty    nothing that matches was warned of
-- Budget   20..350 blocks
create or replace view report.warned as
select
    app.app_id,
    warned.warned_on as day,
    warned.code,
    warned.app_version,
    count(*) as devices,
    -- By bytes: the same one under every collation.
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

comment on view report.warned is 'On how many devices the server took what is probably a mistake of the app, by the version that sends it.';
comment on column report.warned.app_id is 'Bundle id or package name.';
comment on column report.warned.day is 'The day of receipt, in UTC.';
comment on column report.warned.code is 'What is probably wrong, as the sender was told: unknown_field, os_version and so on.';
comment on column report.warned.app_version is 'The version that sent it.';
comment on column report.warned.devices is 'Distinct devices; however often each of them sent it.';
comment on column report.warned.example is 'The sentence that one of the senders got; the same one at every reading.';
