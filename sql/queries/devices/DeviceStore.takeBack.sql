-- Deletes the reasons why devices could not be reconciled, now that they are.
delete from census.set_aside
where device_id = any($1::uuid[])
