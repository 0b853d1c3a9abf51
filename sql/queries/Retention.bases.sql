-- The bases of those of devices $1 that are reconciled through $2, and the apps they belong to. Of others the stored spans
-- would not follow from the base; those that can't be reconciled keep the base they have.
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
where not exists (
        select
        from census.pending_device
        where pending_device.device_id = listed.device_id
            and (earliest_at is null or earliest_at < $2))
    and not exists (
        select
        from census.set_aside
        where set_aside.device_id = listed.device_id)
