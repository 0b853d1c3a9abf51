-- Takes entries of the queue that no other reconciler holds; they are deleted when the work on them is committed.
-- One behind an open transaction is not visible yet and is taken when it is: nothing remembers a position.
with taken as materialized (
    select pending_number
    from census.pending_device
    order by pending_number
    limit $1
    for update skip locked
)
delete from census.pending_device
using taken
where pending_device.pending_number = taken.pending_number
returning
    pending_device.app_number,
    pending_device.device_id
