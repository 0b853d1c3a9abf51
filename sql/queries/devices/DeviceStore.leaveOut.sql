-- Devices $1, of which something that is stored can't be read, are not counted until it can.
update census.device set
    zone = null,
    due_at = null
where device_id = any($1::uuid[])
