-- Everything about device $1 is deleted: only the hash is left.
update census.forgotten set
    erasing_device_id = null
where device_hash = sha256(uuid_send($1))
