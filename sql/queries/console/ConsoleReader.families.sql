-- The devices of app $1 that held kind $3 on surface $2 when the day $4 ended, by family; a device may hold several.
select
    coalesce(family, '') as family,
    sum(devices_certain)::bigint as devices_certain,
    sum(devices_possible)::bigint as devices_possible
from report.live_installs
where app_id = $1
    and surface = $2
    and kind = $3
    and day = $4
group by family
order by
    devices_possible desc,
    family
