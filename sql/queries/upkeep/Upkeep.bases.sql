-- The bases of those of devices $1 that are reconciled through $2, and their apps. For others the stored spans would not
-- follow from the base; devices that can't be reconciled keep their base.
select
    listed.device_id,
    app.app_number,
    device_base.folded_through,
    device_base.state,
    case
        -- A device that holds a forgotten one's past was never folded.
        when device_base.device_id is null
            and device.folded_through is not null
            and device.first_heard_at < (
                select kept_from::timestamp at time zone 'UTC'
                from census.retention)
            then not exists (
                select
                from census.observation
                where observation.device_id = device.device_id
                    and observation.corrected_at <= device.first_heard_at)
        else false
    end as lacks_past
from unnest($1::uuid[]) as listed (device_id)
cross join lateral (
    select app_number
    from census.observation
    where observation.device_id = listed.device_id
        and corrected_at < $2
    limit 1
) as app
left join census.device
    on device.device_id = listed.device_id
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
