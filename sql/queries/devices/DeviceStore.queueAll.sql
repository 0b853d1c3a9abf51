-- Queues every device to be folded again from its base: the rules have changed.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
