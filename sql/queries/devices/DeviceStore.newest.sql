-- What device $1 was folded to, and what waits to be folded. No table of observations: phones wait for this.
select
    device.checkpoint,
    device.folded_through,
    waiting.earliest_at,
    waiting.occurred_from,
    waiting.is_from_start,
    exists (
        select 1
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
