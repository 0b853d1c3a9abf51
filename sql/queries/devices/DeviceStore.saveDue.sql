-- Saves when time alone next changes what devices $1 count for.
update census.device set
    due_at = drawn.due_at
from unnest($1::uuid[], $2::timestamptz[]) as drawn (device_id, due_at)
where device.device_id = drawn.device_id
