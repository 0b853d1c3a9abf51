-- Deletes when device $1 placed kinds.
delete from census.device_cohort
where device_id = $1
