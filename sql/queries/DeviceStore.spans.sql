-- The stored spans of devices $1 that a later observation can change: all that end at or after $2, and those with suspects
-- since $3. Where $2 is null, all of the device's.
select
    device_id,
    ordinal,
    surface,
    kind,
    family,
    intent,
    configuration,
    instance,
    from_at,
    to_at,
    certain,
    suspect,
    reported,
    still_there,
    claim_platform,
    claim_os_version,
    began_cause,
    began_rule,
    ended_cause,
    ended_rule,
    presumed,
    claim_rule
from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as wanted (device_id, ending_from, suspect_since)
join census.span using (device_id)
where wanted.ending_from is null
    or span.to_at is null
    or span.to_at >= wanted.ending_from
    or (span.suspect > 0 and span.from_at >= wanted.suspect_since)
