-- Queues the devices of apps $1 that are counted by the days of another zone than the app's, which is $2. A change of the
-- zone queues those that it sees; one that was stored at that moment it does not.
with queued as (
    insert into census.pending_device (app_number, device_id)
    select
        device.app_number,
        device.device_id
    from unnest($1::integer[], $2::text[]) as app (app_number, zone)
    join census.device
        on device.app_number = app.app_number
        and device.zone <> app.zone
    returning device_id
)
select count(*) as devices
from queued
