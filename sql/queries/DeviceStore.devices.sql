-- What is stored of some devices: needed to see what a new reading changes.
select
    device_id,
    silent_at
from census.device
where device_id = any($1::uuid[])
