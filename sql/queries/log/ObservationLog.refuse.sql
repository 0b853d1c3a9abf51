-- Stores refused events with their reason; a redelivery on the same day adds nothing, and nothing is stored for forgotten
-- devices. Senders of the same events wait for this transaction. If it no longer hears from us it must end soon, or it holds
-- up every group in which one of them comes again. Nobody waits for us longer than that.
set local idle_in_transaction_session_timeout = '3s';
create temporary table if not exists incoming_refused (like census.refused) on commit delete rows;
copy incoming_refused (
    device_id, refused_on, digest, app_number, received_at, code, message, event_id, event
) from stdin (format binary);
insert into census.refused (
    device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
select
    device_id, refused_on, digest, app_number, received_at, code, message, event_id, event
from incoming_refused
where not exists (
    select 1
    from census.forgotten
    where forgotten.device_hash = sha256(uuid_send(incoming_refused.device_id)))
order by
    device_id,
    refused_on,
    digest
on conflict (device_id, refused_on, digest) do nothing;
