-- Deletes what was refused of device $1. Answers how many events that were.
with deleted as (
    delete from census.refused
    where device_id = $1
    returning digest
)
select count(*) as events
from deleted
