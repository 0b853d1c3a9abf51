-- Through when the bases of those of devices $1 that have one hold all that was ever heard of them.
select
    device_id,
    folded_through
from census.device_base
where device_id = any($1::uuid[])
