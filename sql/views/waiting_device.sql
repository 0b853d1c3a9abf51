-- waiting_device: active devices that have sent something the reconciler has not read yet.
--
-- Grain    one row per device_id that waits for the reconciler with something new and is counted as active
-- Reads    pending_device, counted_device
-- Caveat   devices that only wait to be counted anew are not among them: nothing new is known of them
-- Read by  the coverage that verdicts and preflight rest on: what such a device holds now is not known
create or replace view census.waiting_device as
select distinct
    pending_device.app_number,
    pending_device.device_id
from census.pending_device
join census.counted_device
    on counted_device.device_id = pending_device.device_id
where pending_device.occurred_from < now() + interval '1 day'
    and coalesce(counted_device.silent_at, 'infinity') > now();

comment on view census.waiting_device is 'Active devices with something new that waits to be reconciled.';
comment on column census.waiting_device.app_number is 'The app.';
comment on column census.waiting_device.device_id is 'Keyed hash of the app and the device id.';
