-- What device $1 was folded to, and what waits to be folded.
select
    device.checkpoint,
    device.folded_through,
    waiting.earliest_at,
    waiting.occurred_from,
    waiting.is_from_start,
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
        where set_aside.device_id = $1
            and is_implausible) as is_implausible
from (
    select
        min(earliest_at) as earliest_at,
        min(occurred_from) as occurred_from,
        coalesce(bool_or(earliest_at is null), false) as is_from_start
    from census.pending_device
    where device_id = $1
) as waiting
left join census.device
    on device.device_id = $1
left join census.device_base
    on device_base.device_id = $1
