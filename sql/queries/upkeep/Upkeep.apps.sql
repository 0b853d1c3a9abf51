-- The apps of devices $1 by what they sent for times before $2, by their clocks.
select
    device_id,
    min(app_number) as app_number
from census.observation
where device_id = any($1::uuid[])
    and occurred_at < $2
group by device_id
