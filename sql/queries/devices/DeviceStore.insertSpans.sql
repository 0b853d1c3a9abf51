-- Adds the spans that their devices' new readings found.
copy census.span (
    device_id, ordinal, app_number, surface, kind, family, intent, configuration, instance, from_at, to_at, certain,
    suspect, reported, still_there, claim_platform, claim_os_version, began_cause, began_rule, ended_cause, ended_rule,
    presumed, claim_rule, either, settled, returned
) from stdin (format binary)
