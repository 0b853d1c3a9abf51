-- zombies: which kinds devices still have on app versions whose manifest does not declare them, day by day.
--
-- Grain    one row per (app_id, day, surface, kind, app_version); closed days only
-- Units    devices: distinct devices; widgets: placements, counted low because the OS may merge identical ones
-- Reads    version_day, manifest, manifest_kind
-- Caveat   versions without a manifest are left out; includes possible placements, so it is an upper bound
-- Read by  dashboards (quality); `widget-census report zombies`
-- Empty    no device has a kind that its app version's manifest leaves out; `widget-census manifests list` shows manifests
-- Budget   10..400 blocks
create or replace view report.zombies as
select
    app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    counted.app_version,
    counted.devices,
    counted.widgets
from census.app
cross join lateral (
    select
        version_day.day,
        version_day.surface,
        version_day.kind,
        version_day.app_version,
        sum(version_day.devices_possible)::bigint as devices,
        sum(version_day.widgets_possible)::bigint as widgets
    from census.version_day
    where version_day.app_number = app.app_number
        and exists (
            select 1
            from census.manifest
            where manifest.app_number = version_day.app_number
                and manifest.app_version = version_day.app_version)
        and not exists (
            select 1
            from census.manifest_kind
            where manifest_kind.app_number = version_day.app_number
                and manifest_kind.app_version = version_day.app_version
                and manifest_kind.surface = version_day.surface
                and manifest_kind.kind = version_day.kind)
    group by
        version_day.day,
        version_day.surface,
        version_day.kind,
        version_day.app_version
    having sum(version_day.devices_possible) > 0
) as counted;

comment on view report.zombies is 'Which kinds devices still have on app versions whose manifest does not declare them, day by day.';
comment on column report.zombies.app_id is 'Bundle id or package name.';
comment on column report.zombies.day is 'Day in the app''s time zone.';
comment on column report.zombies.surface is 'widget, control, live_activity or today.';
comment on column report.zombies.kind is 'The widget''s kind.';
comment on column report.zombies.app_version is 'App version on the devices when the day ended; its manifest does not declare the kind.';
comment on column report.zombies.devices is 'At most this many devices had it.';
comment on column report.zombies.widgets is 'Certain or possible placements.';
