-- Stores warnings: of a device's on one day with one code the newest stands, and nothing is stored for forgotten devices. As
-- ObservationLog.refuse does.
set local idle_in_transaction_session_timeout = '3s';
create temporary table if not exists incoming_warned (like census.warned) on commit delete rows;
copy incoming_warned (
    device_id, warned_on, code, app_number, received_at, app_version, pointer, message
) from stdin (format binary);
insert into census.warned (
    device_id, warned_on, code, app_number, received_at, app_version, pointer, message)
select distinct on (device_id, warned_on, code)
    device_id, warned_on, code, app_number, received_at, app_version, pointer, message
from incoming_warned
where not exists (
    select
    from census.forgotten
    where forgotten.device_hash = sha256(uuid_send(incoming_warned.device_id)))
order by
    device_id,
    warned_on,
    code,
    received_at desc
on conflict (device_id, warned_on, code) do update set
    received_at = excluded.received_at,
    app_version = excluded.app_version,
    pointer = excluded.pointer,
    message = excluded.message
where excluded.received_at > warned.received_at;
