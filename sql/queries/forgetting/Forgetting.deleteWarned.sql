-- Deletes the warnings about device $1.
delete from census.warned
where device_id = $1
