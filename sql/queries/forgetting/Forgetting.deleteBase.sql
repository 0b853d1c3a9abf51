-- Deletes the state from events of device $1 that are no longer kept.
delete from census.device_base
where device_id = $1
