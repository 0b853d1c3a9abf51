-- How many devices wait to be reconciled. Reads the whole queue: for the start of a night, not for a gauge.
select count(*) as devices
from (
    select device_id
    from census.pending_device
    group by device_id
) as queued
