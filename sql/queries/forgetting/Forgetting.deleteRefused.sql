-- Deletes the refused events of device $1. Returns how many there were.
with deleted as (
    delete from census.refused
    where device_id = $1
    returning digest
)
select count(*) as events
from deleted
