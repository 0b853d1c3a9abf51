-- counted_phase: every phase with the end by which the ledger counts it.
--
-- Grain    one row per phase of a counted_device
-- Reads    phase, counted_device
-- Read by  the ledger's checks (sql/ledger)
create or replace view census.counted_phase as
select
    phase.device_id,
    phase.app_number,
    counted_device.zone,
    phase.from_at,
    least(phase.to_at, counted_device.silent_at) as to_at,
    phase.platform,
    phase.os_version,
    phase.app_version,
    phase.gallery_policy,
    phase.is_reporting,
    -- Only for the phase that lasts: one that has ended says it itself.
    case when phase.to_at is null then counted_device.lapsed_at end as lapsed_at,
    phase.is_cloned,
    counted_device.due_at
from census.phase
join census.counted_device
    on counted_device.device_id = phase.device_id;

comment on view census.counted_phase is 'Every phase with the end by which the ledger counts it.';
comment on column census.counted_phase.device_id is 'Keyed hash of the app and the device id.';
comment on column census.counted_phase.app_number is 'The app.';
comment on column census.counted_phase.zone is 'The zone by whose days its device is counted.';
comment on column census.counted_phase.from_at is 'Since when.';
comment on column census.counted_phase.to_at is 'Until when, excluded: the phase''s end, or when the device fell silent; null while it lasts.';
comment on column census.counted_phase.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.counted_phase.os_version is 'Major and minor; null when not sent.';
comment on column census.counted_phase.app_version is 'As sent.';
comment on column census.counted_phase.gallery_policy is 'The version of the gallery policy that the app last said it had applied; null: none.';
comment on column census.counted_phase.is_reporting is 'A report had succeeded within the activity window.';
comment on column census.counted_phase.lapsed_at is 'When that report ceased to count, in the midst of the phase; null: it did not.';
comment on column census.counted_phase.is_cloned is 'An installation that had ended had gone on sending.';
comment on column census.counted_phase.due_at is 'What time alone changes from then on is not entered yet; null: all of it is.';
