-- The next devices of the queue after $1 and through $3, by id: a sweep meets each device once, however often it is queued. A
-- device behind an open transaction is not visible yet; a later sweep meets it, since no position is remembered.
select distinct device_id
from census.pending_device
where device_id > $1
    and device_id <= $3
order by device_id
limit $2
