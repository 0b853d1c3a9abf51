-- Deletes the spans that a new reading of their devices no longer holds.
delete from census.span
using unnest($1::uuid[], $2::integer[]) as gone (device_id, ordinal)
where span.device_id = gone.device_id
    and span.ordinal = gone.ordinal
