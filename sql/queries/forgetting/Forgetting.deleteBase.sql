-- Deletes what the events of device $1 had led to that are no longer kept.
delete from census.device_base
where device_id = $1
