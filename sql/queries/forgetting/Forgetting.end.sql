-- All of device $1 is gone: what is left is the hash.
update census.forgotten set
    erasing_device_id = null
where device_hash = sha256(uuid_send($1))
