-- Deletes everything that device $1 ever did.
delete from census.device_use
where device_id = $1
