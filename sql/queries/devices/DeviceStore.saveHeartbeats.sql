-- Saves when devices that reported nothing new were last heard from. No indexed column changes in most of them, so that their rows' new
-- versions stay on their pages and no index is written.
update census.device set
    last_heard_at = heard.last_heard_at,
    last_report_at = heard.last_report_at,
    silent_at = heard.silent_at,
    reporting_until = heard.reporting_until,
    due_at = heard.due_at,
    checkpoint = heard.checkpoint,
    folded_through = heard.folded_through,
    widgets_until = heard.widgets_until,
    controls_until = heard.controls_until,
    activities_until = heard.activities_until
from unnest(
    $1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::bytea[],
    $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[]
) as heard (
    device_id, last_heard_at, last_report_at, silent_at, reporting_until, due_at, checkpoint, folded_through, widgets_until,
    controls_until, activities_until)
where device.device_id = heard.device_id
