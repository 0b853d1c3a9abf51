-- The last ten nights, the newest first.
select
    started_at,
    finished_at,
    failure,
    coalesce(devices, 0) as devices,
    coalesce(days_closed, 0) as days_closed,
    coalesce(days_restated, 0) as days_restated
from census.night_run
order by run_number desc
limit 10
