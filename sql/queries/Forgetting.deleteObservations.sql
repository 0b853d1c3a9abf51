-- Deletes the events of device $1, in all partitions. Answers how many there were.
with deleted as (
    delete from census.observation
    where device_id = $1
    returning event_id
)
select count(*) as events
from deleted
