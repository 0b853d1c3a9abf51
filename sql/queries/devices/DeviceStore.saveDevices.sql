-- Saves each device as of its last reconciled observation.
insert into census.device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
    legacy_kinds, widgets_until, controls_until, activities_until)
select
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
    legacy_kinds, widgets_until, controls_until, activities_until
from unnest(
    $1::uuid[], $2::integer[], $3::uuid[], $4::boolean[], $5::boolean[], $6::text[], $7::text[], $8::text[],
    $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
    $14::timestamptz[], $15::text[], $16::bytea[], $17::timestamptz[], $18::integer[], $19::integer[],
    $20::timestamptz[], $21::timestamptz[], $22::timestamptz[]
) as reconciled (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, os_version, app_version, first_heard_at,
    last_heard_at, last_report_at, silent_at, reporting_until, due_at, zone, checkpoint, folded_through, last_ordinal,
    legacy_kinds, widgets_until, controls_until, activities_until)
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
    silent_at = excluded.silent_at,
    reporting_until = excluded.reporting_until,
    due_at = excluded.due_at,
    zone = excluded.zone,
    checkpoint = excluded.checkpoint,
    folded_through = excluded.folded_through,
    last_ordinal = excluded.last_ordinal,
    legacy_kinds = excluded.legacy_kinds,
    widgets_until = excluded.widgets_until,
    controls_until = excluded.controls_until,
    activities_until = excluded.activities_until
