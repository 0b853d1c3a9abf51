-- The devices of app $1 heard from within a year, by version of the app, active ones and silent ones.
select
    device.app_version,
    count(*) filter (where device.silent_at > now()) as active,
    count(*) filter (where device.silent_at > now() and device.reporting_until > now()) as reporting,
    count(*) filter (where device.silent_at <= now()) as silent
from census.device
where device.app_number = $1
    and device.last_heard_at > now() - interval '1 year'
group by device.app_version
order by device.app_version collate "C"
