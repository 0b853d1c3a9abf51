-- Devices that held kind $3 on surface $2 of app $1 for certain when the last closed day ended, by version.
select
    app_version,
    sum(devices_certain)::bigint as devices
from census.version_day
where app_number = $1
    and surface = $2
    and kind = $3
    and day = (
        select max(closed_day.day)
        from census.closed_day
        where closed_day.app_number = $1)
group by app_version
