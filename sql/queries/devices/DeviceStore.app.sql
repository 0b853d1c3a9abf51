-- The app of device $1, or no row if nothing is stored about it.
select app_number
from (
    select app_number
    from census.device
    where device_id = $1
    union all
    select app_number
    from census.pending_device
    where device_id = $1
    union all
    select app_number
    from census.observation
    where device_id = $1
    union all
    select app_number
    from census.refused
    where device_id = $1
) as stored
limit 1
