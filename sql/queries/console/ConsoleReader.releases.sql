-- The versions of app $1 that appeared since $2: on the day of the first update to them, of their manifest, or on which devices were
-- first counted with them, whichever is the earliest.
with seen as (
    select
        to_version as app_version,
        first_day as day
    from census.loss_version
    where app_number = $1
    union all
    select
        manifest.app_version,
        (manifest.added_at at time zone app.zone)::date
    from census.manifest
    join census.app
        on app.app_number = manifest.app_number
    where manifest.app_number = $1
),
run as (
    select
        app_version,
        min(day) as day
    from census.device_day
    where app_number = $1
        and devices_active > 0
    group by app_version
)
select
    least(min(seen.day), min(run.day)) as day,
    seen.app_version
from seen
left join run
    on run.app_version = seen.app_version
group by seen.app_version
having least(min(seen.day), min(run.day)) >= $2
order by
    day,
    seen.app_version
