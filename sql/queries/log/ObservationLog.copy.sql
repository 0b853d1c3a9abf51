-- Stores events of which none is known: one that is makes the whole copy fail.
--
-- Senders of the same events wait for this transaction. If it no longer hears from us it must end soon, or it holds up every
-- group in which one of them comes again. Nobody waits for us longer than that. It does not end while waiting for the rows
-- themselves: `ObservationLog.endStuck` does that.
set local idle_in_transaction_session_timeout = '3s';
copy census.observation (
    device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
    platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
    rebooted
) from stdin (format binary);
