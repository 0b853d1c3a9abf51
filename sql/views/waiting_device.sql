-- waiting_device: active devices that sent something the reconciler has not read yet.
--
-- Grain    one row per device_id that waits for the reconciler with something new and is counted as active
-- Reads    pending_device, counted_device
-- Caveat   does not include devices that only wait to be recounted: there is nothing new about them
-- Read by  the coverage behind verdicts and preflight: nobody knows which widgets such a device has now
create or replace view census.waiting_device as
select distinct
    pending_device.app_number,
    pending_device.device_id
from census.pending_device
join census.counted_device
    on counted_device.device_id = pending_device.device_id
where pending_device.occurred_from < now() + interval '1 day'
    and coalesce(counted_device.silent_at, 'infinity') > now();

comment on view census.waiting_device is 'Active devices with new observations that wait for the reconciler.';
comment on column census.waiting_device.app_number is 'The app.';
comment on column census.waiting_device.device_id is 'Keyed hash of the app and the device id.';
