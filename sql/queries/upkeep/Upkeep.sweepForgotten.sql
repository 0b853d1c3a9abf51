-- Ends the memory of devices that were forgotten before $1: what they may still send is too old to be accepted.
delete from census.forgotten
where forgotten_at < $1
    and erasing_device_id is null
