-- What is stored about some devices; where the first observations are no longer kept, also the state they led to. A device
-- without that state lacks its past.
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
    end as lacks_past,
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
