-- The time through which the bases of devices $1, where they have one, hold everything ever heard from them.
select
    device_id,
    folded_through
from census.device_base
where device_id = any($1::uuid[])
