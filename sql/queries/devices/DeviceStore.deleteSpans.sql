-- Deletes the spans that their devices' new readings no longer hold.
delete from census.span
using unnest($1::uuid[], $2::integer[]) as gone (device_id, ordinal)
where span.device_id = gone.device_id
    and span.ordinal = gone.ordinal
