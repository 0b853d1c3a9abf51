-- counted_device: every device as the ledger counts it, with only those changes by time alone that were entered.
--
-- Grain    one row per device_id that was counted since the ledger began
-- Reads    device
-- Caveat   what lies at due_at or later has not been entered: until then a device that fell silent still counts
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

comment on view census.counted_device is 'Every device as the ledger counts it.';
comment on column census.counted_device.device_id is 'Keyed hash of the app and the device id.';
comment on column census.counted_device.app_number is 'The app.';
comment on column census.counted_device.zone is 'The zone by whose days it is counted.';
comment on column census.counted_device.silent_at is 'When it left every count; null: it has not.';
comment on column census.counted_device.lapsed_at is 'When its last successful report ceased to count; null: it still does, or there was none.';
comment on column census.counted_device.due_at is 'What time alone changes from then on is not entered yet; null: all of it is.';
