-- Those of devices $1 whose first observation is no longer kept. Where no base holds it either, they lack their past; a device
-- that holds a forgotten one's past was never folded.
select device_id
from census.device
where device_id = any($1::uuid[])
    and not exists (
        select 1
        from census.observation
        where observation.device_id = device.device_id
            and observation.corrected_at <= device.first_heard_at)
