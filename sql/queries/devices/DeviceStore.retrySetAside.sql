-- Queues every device that was set aside, to be folded from its first observation; implausible ones are not retried.
with queued as (
    insert into census.pending_device (app_number, device_id)
    select
        app_number,
        device_id
    from census.set_aside
    where not is_implausible
    returning device_id
)
select count(*) as devices
from queued
