-- At most $4 of what devices $1 sent for corrected times after $2 and before $3, by corrected time.
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
    content::text,
    os_build,
    gallery_policy
from (
    select *
    from census.observation
    where device_id = any($1::uuid[])
        and occurred_at < $3
        and corrected_at > $2
        and corrected_at < $3
    union all
    select *
    from census.observation
    where device_id = any($1::uuid[])
        and corrected_at < occurred_at
        and occurred_at >= $3
        and corrected_at > $2
        and corrected_at < $3
) as earlier
order by corrected_at
limit $4
