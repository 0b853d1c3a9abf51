-- Deletes the memory of devices forgotten before $1: anything they still send is too old to be accepted.
delete from census.forgotten
where forgotten_at < $1
    and erasing_device_id is null
