-- The stored histories of some devices.
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
    ended_rule
from census.span
where device_id = any($1::uuid[])
