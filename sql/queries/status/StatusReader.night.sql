-- The last night, and what it did.
select
    run_number,
    started_at,
    finished_at,
    failure,
    devices,
    days_closed,
    days_restated,
    apps_failed,
    coalesce(reconcile_seconds, 0) + coalesce(close_seconds, 0) + coalesce(keep_seconds, 0)
        + coalesce(verify_seconds, 0) as seconds
from census.night_run
order by run_number desc
limit 1
