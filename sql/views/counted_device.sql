-- counted_device: every device as the ledger counts it, including only those time-based changes that are already entered.
--
-- Grain    one row per device_id counted since the ledger began
-- Reads    device
-- Caveat   changes at or after due_at are not entered yet: until they are, a device that went silent still counts
-- Read by  unknown_device, waiting_device
create or replace view census.counted_device as
select
    device_id,
    app_number,
    zone,
    case when due_at is null or silent_at < due_at then silent_at end as silent_at,
    case when due_at is null or reporting_until < due_at then reporting_until end as lapsed_at,
    due_at
from census.device
where zone is not null;

comment on view census.counted_device is 'Devices as the ledger counts them.';
comment on column census.counted_device.device_id is 'Keyed hash of the app and the device id.';
comment on column census.counted_device.app_number is 'The app.';
comment on column census.counted_device.zone is 'Time zone whose days it is counted by.';
comment on column census.counted_device.silent_at is 'When it left all counts; null: it is still counted.';
comment on column census.counted_device.lapsed_at is 'When its last successful report stopped counting; null: it still counts, or there was none.';
comment on column census.counted_device.due_at is 'Time-based changes from this time on are not entered yet; null: all are entered.';
