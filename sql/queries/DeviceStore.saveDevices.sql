-- Each device as of its last reconciled observation.
create temporary table if not exists incoming_device (like census.device) on commit delete rows;
copy incoming_device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at
) from stdin (format binary);
insert into census.device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at)
select
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at
from incoming_device
on conflict (device_id) do update set
    installation_id = excluded.installation_id,
    is_settled = excluded.is_settled,
    is_cloned = excluded.is_cloned,
    platform = excluded.platform,
    os_version = excluded.os_version,
    app_version = excluded.app_version,
    first_heard_at = excluded.first_heard_at,
    last_heard_at = excluded.last_heard_at,
    last_report_at = excluded.last_report_at,
    silent_at = excluded.silent_at;
delete from incoming_device;
