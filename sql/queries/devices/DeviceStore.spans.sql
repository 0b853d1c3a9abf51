-- The stored spans of devices $1 that end at or after $2; all of a device's where $2 is null.
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
    claim_rule,
    either,
    settled,
    returned
from unnest($1::uuid[], $2::timestamptz[]) as wanted (device_id, ending_from)
join census.span using (device_id)
where wanted.ending_from is null
    or span.to_at is null
    or span.to_at >= wanted.ending_from
