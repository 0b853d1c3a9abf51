-- What is stored about some devices; where the first observations are no longer kept, also the state they led to. A device
-- without that state may lack its past.
with stored as (
    select
        device_id,
        silent_at,
        reporting_until,
        due_at,
        zone,
        legacy_kinds,
        folded_through,
        last_ordinal,
        checkpoint,
        first_heard_at
    from census.device
    where device_id = any($1::uuid[])
),
base as (
    select
        device_id,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
),
implausible as (
    select device_id
    from census.set_aside
    where device_id = any($1::uuid[])
        and is_implausible
)
select
    listed.device_id,
    stored.silent_at,
    stored.reporting_until,
    stored.due_at,
    stored.zone,
    stored.legacy_kinds,
    stored.folded_through,
    stored.last_ordinal,
    stored.checkpoint,
    base.folded_through as base_through,
    base.state as base_state,
    base.device_id is null
        and stored.folded_through is not null
        and stored.first_heard_at < (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention) as may_lack_past,
    implausible.device_id is not null as is_implausible
from unnest($1::uuid[]) as listed (device_id)
left join stored
    on stored.device_id = listed.device_id
left join base
    on base.device_id = listed.device_id
left join implausible
    on implausible.device_id = listed.device_id
