-- The bases of those of devices $1 that are reconciled through $2. For others the stored spans would not follow from the base;
-- devices that can't be reconciled keep their base.
with base as (
    select
        device_id,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
),
-- Those without a base that were heard from before what is kept.
early as (
    select device_id
    from census.device
    where device_id = any($1::uuid[])
        and folded_through is not null
        and first_heard_at < (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention)
        and not exists (
            select 1
            from census.device_base
            where device_base.device_id = device.device_id)
),
left_out as (
    select device_id
    from census.pending_device
    where device_id = any($1::uuid[])
        and (earliest_at is null or earliest_at < $2)
    union
    select device_id
    from census.set_aside
    where device_id = any($1::uuid[])
)
select
    listed.device_id,
    base.folded_through,
    base.state,
    early.device_id is not null as may_lack_past
from unnest($1::uuid[]) as listed (device_id)
left join base
    on base.device_id = listed.device_id
left join early
    on early.device_id = listed.device_id
where listed.device_id not in (select device_id from left_out)
