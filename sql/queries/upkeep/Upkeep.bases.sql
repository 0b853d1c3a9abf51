-- The bases of those of devices $1 that are reconciled through $2. For others the stored spans would not follow from the base;
-- devices that can't be reconciled keep their base.
with left_out as (
    select device_id
    from census.pending_device
    where device_id = any($1::uuid[])
        and (earliest_at is null or earliest_at < $2)
    union
    select device_id
    from census.set_aside
    where device_id = any($1::uuid[])
),
base as (
    select
        device_id,
        app_number,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
)
select
    listed.device_id,
    base.app_number,
    base.folded_through,
    base.state
from unnest($1::uuid[]) as listed (device_id)
left join base
    on base.device_id = listed.device_id
where listed.device_id not in (select device_id from left_out)
