-- Queues the devices last folded under rules older than $2, or before states began with $1: a program that was still running
-- may have folded them after they were queued for the new rules. The offsets are those of StateHeader.
with queued as (
    insert into census.pending_device (app_number, device_id)
    select
        app_number,
        device_id
    from census.device
    where (substring(checkpoint from 1 for 4) <> $1 or substring(checkpoint from 7 for 2) < $2)
        and not exists (
            select 1
            from census.pending_device
            where pending_device.device_id = device.device_id
                and earliest_at is null)
    returning device_id
)
select count(*) as devices
from queued
