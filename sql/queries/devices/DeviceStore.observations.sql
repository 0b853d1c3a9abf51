-- The next observations in fold order, device by device: what devices $1 sent for times as sent since $2 and before $11, and
-- corrected times after $3 and before $12, at most $4 rows, and none after $5 bytes of texts. Starts after the place of device
-- $6, corrected time $7, report or not $8, id $9 and time as sent $10.
with next as (
    select
        device_id,
        event_id collate "C" as event_id,
        occurred_at,
        corrected_at,
        installation_id,
        type,
        type = 'widgets_reported' as is_report,
        surface,
        platform,
        os_version,
        app_version,
        channel,
        booted_at,
        first_launched_at,
        content,
        os_build,
        gallery_policy,
        rebooted
    from census.observation
    where device_id = any($1::uuid[])
        and occurred_at >= $2
        and occurred_at < $11
        and corrected_at > $3
        and corrected_at < $12
        and (device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at)
            > ($6, $7, $8, $9 collate "C", $10)
    order by device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at
    limit $4
),
spelled as (
    select
        next.*,
        content::text as said
    from next
),
weighed as (
    select
        *,
        octet_length(said) + octet_length(event_id) + octet_length(app_version) + octet_length(channel)
            + coalesce(octet_length(os_version), 0) + coalesce(octet_length(os_build), 0) as bytes
    from spelled
),
summed as (
    select
        *,
        sum(bytes) over (
            order by device_id, corrected_at, is_report, event_id, occurred_at
            rows between unbounded preceding and current row
        ) as bytes_through
    from weighed
)
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
    said,
    os_build,
    gallery_policy,
    rebooted,
    bytes_through
from summed
where bytes_through - bytes < $5
order by device_id, corrected_at, is_report, event_id, occurred_at
