-- Takes the entries of devices that are locked by now; they are gone once the work is committed. Where another reconciler
-- held the lock before, nothing is left to take.
delete from census.pending_device
where device_id = any($1::uuid[])
returning
    app_number,
    device_id,
    earliest_at,
    occurred_from
