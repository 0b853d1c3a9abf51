-- The bases of those of devices $1 that are reconciled through $2, and their apps, where they were counted. For others the stored
-- spans would not follow from the base; devices that can't be reconciled keep their base.
with base as (
    select
        device_id,
        app_number,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
),
counted as (
    select
        device_id,
        app_number,
        -- Heard from before what is kept.
        folded_through is not null
            and first_heard_at < (
                select kept_from::timestamp at time zone 'UTC'
                from census.retention) as is_early
    from census.device
    where device_id = any($1::uuid[])
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
    coalesce(base.app_number, counted.app_number) as app_number,
    base.folded_through,
    base.state,
    base.device_id is null and coalesce(counted.is_early, false) as may_lack_past
from unnest($1::uuid[]) as listed (device_id)
left join base
    on base.device_id = listed.device_id
left join counted
    on counted.device_id = listed.device_id
where listed.device_id not in (select device_id from left_out)
