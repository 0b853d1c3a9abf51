-- What is stored about some devices; where the first observations are no longer kept, also the state they led to. A device
-- without that state may lack its past.
select
    listed.device_id,
    device.silent_at,
    device.reporting_until,
    device.due_at,
    device.zone,
    device.legacy_kinds,
    device.folded_through,
    device.last_ordinal,
    device.checkpoint,
    device_base.folded_through as base_through,
    device_base.state as base_state,
    device_base.device_id is null
        and device.folded_through is not null
        and device.first_heard_at < (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention) as may_lack_past,
    exists (
        select
        from census.set_aside
        where set_aside.device_id = listed.device_id
            and is_implausible) as is_implausible
from unnest($1::uuid[]) as listed (device_id)
left join census.device
    on device.device_id = listed.device_id
left join census.device_base
    on device_base.device_id = listed.device_id
