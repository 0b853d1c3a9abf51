-- Queues all devices of app $1 to be folded from their first observation, also those that have lost their own row.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from (
    select
        app_number,
        device_id
    from census.device
    where app_number = $1
    union
    select
        app_number,
        device_id
    from census.phase
    where app_number = $1
) as heard
