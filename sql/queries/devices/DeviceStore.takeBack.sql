-- Forgets that devices could not be reconciled, once they could.
delete from census.set_aside
where device_id = any($1::uuid[])
