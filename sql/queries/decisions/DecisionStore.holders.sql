-- Who held kind $3 on surface $2 of app $1 when its last closed day ended: by what they ran, the most common first.
select
    day,
    app_version,
    os_version,
    platform,
    devices_certain,
    devices_possible
from census.version_day
where app_number = $1
    and day = (select max(day) from census.closed_day where closed_day.app_number = $1)
    and surface = $2
    and kind = $3
order by
    devices_possible desc,
    app_version,
    os_version,
    platform
