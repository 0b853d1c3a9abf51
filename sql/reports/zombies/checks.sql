-- Claims about zombies that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.version_day set widgets_possible = 0, widgets_certain = 0
select
    'fail' as severity,
    'every device has a widget' as claim,
    count(*) as found
from report.zombies
where not (0 < devices and devices <= widgets)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'no version that has no manifest, or that declares the kind, has a zombie' as claim,
    count(*) as found
from report.zombies
join census.app
    on app.app_id = zombies.app_id
where exists (
        select 1
        from census.manifest_kind
        where manifest_kind.app_number = app.app_number
            and manifest_kind.app_version = zombies.app_version
            and manifest_kind.surface = zombies.surface
            and manifest_kind.kind = zombies.kind)
    or not exists (
        select 1
        from census.manifest
        where manifest.app_number = app.app_number
            and manifest.app_version = zombies.app_version)
union all
-- Harm: update census.version_day set devices_possible = 1000000, widgets_possible = 1000000
select
    'fail' as severity,
    'no more devices have it on one version than on all' as claim,
    count(*) as found
from report.zombies
join report.live_kinds
    on live_kinds.app_id = zombies.app_id
    and live_kinds.day = zombies.day
    and live_kinds.surface = zombies.surface
    and live_kinds.kind = zombies.kind
where zombies.devices > live_kinds.devices_possible
    or zombies.widgets > live_kinds.widgets_possible
