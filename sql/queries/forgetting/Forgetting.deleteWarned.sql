-- Deletes what was warned of at device $1.
delete from census.warned
where device_id = $1
