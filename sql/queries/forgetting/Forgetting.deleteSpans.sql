-- Deletes everything that device $1 ever held.
delete from census.span
where device_id = $1
