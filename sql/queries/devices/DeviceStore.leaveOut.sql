-- Stops counting devices $1, which have a stored row that can't be read, until it can be.
update census.device set
    zone = null,
    due_at = null
where device_id = any($1::uuid[])
