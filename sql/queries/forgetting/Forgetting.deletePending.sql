-- Takes device $1 from the queue.
delete from census.pending_device
where device_id = $1
