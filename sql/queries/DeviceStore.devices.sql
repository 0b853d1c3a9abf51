-- What is stored of some devices: needed to see what a new reading changes.
select
    device_id,
    silent_at,
    last_heard_at,
    suspect_since,
    folded_through,
    last_ordinal,
    checkpoint
from census.device
where device_id = any($1::uuid[])
