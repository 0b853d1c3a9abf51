-- The stored phases of devices $1 that end at or after $2, by time; all of a device's where $2 is null.
select
    device_id,
    from_at,
    to_at,
    platform,
    os_version,
    app_version,
    gallery_policy,
    is_reporting,
    is_cloned
from unnest($1::uuid[], $2::timestamptz[]) as wanted (device_id, ending_from)
join census.phase using (device_id)
where wanted.ending_from is null
    or phase.to_at is null
    or phase.to_at >= wanted.ending_from
order by
    device_id,
    from_at
