-- Deletes the reason why device $1 could not be reconciled.
delete from census.set_aside
where device_id = $1
