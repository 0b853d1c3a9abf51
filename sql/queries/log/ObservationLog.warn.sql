-- Stores warnings, as ObservationLog.refuse does: of a device's on one day with one code, that of the batch whose events are the newest
-- stands, or of equal ones the first to be received, in whatever order and however often batches arrive. Nothing is stored for forgotten devices.
set local idle_in_transaction_session_timeout = '3s';
create temporary table if not exists incoming_warned (like census.warned) on commit delete rows;
copy incoming_warned (
    device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message
) from stdin (format binary);
insert into census.warned (
    device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
select distinct on (device_id, warned_on, code)
    device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message
from incoming_warned
where not exists (
    select 1
    from census.forgotten
    where forgotten.device_hash = sha256(uuid_send(incoming_warned.device_id)))
order by
    device_id,
    warned_on,
    code,
    occurred_at desc,
    app_version collate "C" desc,
    pointer collate "C" desc,
    message collate "C" desc,
    received_at
on conflict (device_id, warned_on, code) do update set
    occurred_at = excluded.occurred_at,
    received_at = excluded.received_at,
    app_version = excluded.app_version,
    pointer = excluded.pointer,
    message = excluded.message
where (
    excluded.occurred_at, excluded.app_version collate "C", excluded.pointer collate "C", excluded.message collate "C",
    warned.received_at)
    > (warned.occurred_at, warned.app_version, warned.pointer, warned.message, excluded.received_at);
