-- Deletes everything that device $1 ever ran.
delete from census.phase
where device_id = $1
