-- counted_span: every span with the end by which the ledger counts it.
--
-- Grain    one row per span of a counted_device
-- Reads    span, counted_device
-- Read by  the ledger's checks (sql/ledger)
create or replace view census.counted_span as
select
    span.device_id,
    span.app_number,
    counted_device.zone,
    span.surface,
    span.kind,
    span.family,
    span.intent,
    span.configuration,
    span.instance,
    span.from_at,
    least(span.to_at, counted_device.silent_at) as to_at,
    span.certain,
    span.presumed,
    span.suspect,
    span.either,
    span.reported,
    span.still_there,
    span.returned,
    span.claim_platform,
    span.claim_os_version,
    span.claim_rule,
    span.began_cause,
    case when counted_device.silent_at < coalesce(span.to_at, 'infinity') then 'silent' else span.ended_cause end
        as ended_cause
from census.span
join census.counted_device
    on counted_device.device_id = span.device_id;

comment on view census.counted_span is 'Every span with the end by which the ledger counts it.';
comment on column census.counted_span.device_id is 'Keyed hash of the app and the device id.';
comment on column census.counted_span.app_number is 'The app.';
comment on column census.counted_span.zone is 'The zone by whose days it is counted.';
comment on column census.counted_span.surface is 'widget, control, live_activity or today.';
comment on column census.counted_span.kind is 'The widget''s kind.';
comment on column census.counted_span.family is 'systemSmall and so on; null where the app does not send it.';
comment on column census.counted_span.intent is 'Class name of the configuration intent.';
comment on column census.counted_span.configuration is 'Digest of the user''s settings.';
comment on column census.counted_span.instance is 'Android''s appWidgetId or a control''s token digest.';
comment on column census.counted_span.from_at is 'Since when.';
comment on column census.counted_span.to_at is 'Until when, excluded: the span''s end, or when the device fell silent; null while it lasts.';
comment on column census.counted_span.certain is 'Placements that the evidence forces.';
comment on column census.counted_span.presumed is 'Placements that nothing proves and nothing speaks against: possible, and expected to be real.';
comment on column census.counted_span.suspect is 'Placements that the OS reports and that may be stale.';
comment on column census.counted_span.either is 'Placements of which an event left open whether it meant them: possible here, and not counted for the kind.';
comment on column census.counted_span.reported is 'What the last successful report claimed.';
comment on column census.counted_span.still_there is 'Of the suspects, how many proved to have been there; null while unknown.';
comment on column census.counted_span.returned is 'Of the certain ones that came when it began, how many came back from silence.';
comment on column census.counted_span.claim_platform is 'The platform that first claimed the suspects.';
comment on column census.counted_span.claim_os_version is 'The OS version that first claimed the suspects.';
comment on column census.counted_span.claim_rule is 'The rule that doubts the suspects: reinstall or fresh_install.';
comment on column census.counted_span.began_cause is 'Why it began, in the words of report.changes.';
comment on column census.counted_span.ended_cause is 'Why it ended; silent when the device fell silent before.';
