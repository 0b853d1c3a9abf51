-- The bases of those of devices $1 that are reconciled through $2. For others the stored spans would not follow from the base;
-- devices that can't be reconciled keep their base.
select
    listed.device_id,
    device_base.folded_through,
    device_base.state,
    case
        when device_base.device_id is null and retention.kept_from is not null
            then exists (
                select
                from census.device
                where device.device_id = listed.device_id
                    and folded_through is not null
                    and first_heard_at < retention.kept_from::timestamp at time zone 'UTC')
        else false
    end as may_lack_past
from unnest($1::uuid[]) as listed (device_id)
cross join census.retention
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
