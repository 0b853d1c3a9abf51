-- Queues all devices of app $1 to be folded from their first observation.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
where app_number = $1
