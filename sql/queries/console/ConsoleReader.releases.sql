-- The versions of app $1 that appeared since $2: on the day of the first update to them, or of their manifest if that is earlier.
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
)
select
    min(day) as day,
    app_version
from seen
group by app_version
having min(day) >= $2
order by
    day,
    app_version
