-- What is stored of some devices, and of those whose observations are no longer kept from the start, what these led to.
select
    listed.device_id,
    device.silent_at,
    device.reporting_until,
    device.due_at,
    device.zone,
    device.folded_through,
    device.last_ordinal,
    device.checkpoint,
    device_base.folded_through as base_through,
    device_base.checkpoint as base_checkpoint
from unnest($1::uuid[]) as listed (device_id)
left join census.device
    on device.device_id = listed.device_id
left join census.device_base
    on device_base.device_id = listed.device_id
