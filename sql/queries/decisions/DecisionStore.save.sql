-- Saves verdicts, given as $1: an array of objects with the names of the table's columns.
insert into census.readiness (
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
    half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures)
select
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
    half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures
from json_populate_recordset(null::census.readiness, $1::json)
on conflict (app_number, surface, kind, day) do update set
    decided_at = now(),
    lifecycle = excluded.lifecycle,
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    devices_expected = excluded.devices_expected,
    devices_silent = excluded.devices_silent,
    devices_active = excluded.devices_active,
    devices_reporting = excluded.devices_reporting,
    devices_with_replacement = excluded.devices_with_replacement,
    limit_devices = excluded.limit_devices,
    half_life_days = excluded.half_life_days,
    half_life_low = excluded.half_life_low,
    half_life_high = excluded.half_life_high,
    ready_on = excluded.ready_on,
    ready_on_earliest = excluded.ready_on_earliest,
    ready_on_latest = excluded.ready_on_latest,
    forecast = excluded.forecast,
    verdict = excluded.verdict,
    reason = excluded.reason,
    figures = excluded.figures
