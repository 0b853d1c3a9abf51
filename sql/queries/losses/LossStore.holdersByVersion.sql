-- Devices that held a watched kind of app $1 for certain when the last closed day ended, by surface, kind and version.
select
    surface,
    kind,
    app_version,
    sum(devices_certain)::bigint as devices
from census.version_day
where app_number = $1
    and (surface, kind) in (
        select
            loss_watch.surface,
            loss_watch.kind
        from census.loss_watch
        where loss_watch.app_number = $1)
    and day = (
        select max(closed_day.day)
        from census.closed_day
        where closed_day.app_number = $1)
group by
    surface,
    kind,
    app_version
