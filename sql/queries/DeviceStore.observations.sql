-- Everything that some devices ever sent.
select
    device_id,
    event_id,
    occurred_at,
    corrected_at,
    installation_id,
    type,
    surface,
    platform,
    os_version,
    app_version,
    channel,
    booted_at,
    first_launched_at,
    content::text
from census.observation
where device_id = any($1::uuid[])
