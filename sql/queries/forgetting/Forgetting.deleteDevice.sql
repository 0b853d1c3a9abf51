-- Deletes device $1 itself.
delete from census.device
where device_id = $1
