-- The next devices of app $1 after $2, at most $3, and how each was counted.
select
    device_id,
    silent_at,
    reporting_until,
    due_at,
    zone
from census.device
where app_number = $1
    and device_id > $2
    and zone is not null
order by device_id
limit $3
