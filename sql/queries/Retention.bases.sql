-- The bases of devices $1 and the apps they belong to, which the log knows of those that were never reconciled.
select
    listed.device_id,
    app.app_number,
    device_base.folded_through,
    device_base.checkpoint
from unnest($1::uuid[]) as listed (device_id)
cross join lateral (
    select app_number
    from census.observation
    where observation.device_id = listed.device_id
        and corrected_at < $2
    limit 1
) as app
left join census.device_base
    on device_base.device_id = listed.device_id
