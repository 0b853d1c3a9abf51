-- Adds a day $6 with $7 events to what devices $1 did in months $2, each by its use $3, surface $4 and kind $5; where it is the last
-- day already, $7 is that day's total. No index is written.
update census.device_use set
    days = case when days[cardinality(days)] = grown.day then days
        else days || grown.day end,
    events = case when days[cardinality(days)] = grown.day then device_use.events[:cardinality(days) - 1]
        else device_use.events end || grown.events
from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[]) as grown (
    device_id, month, use, surface, kind, day, events)
where device_use.device_id = grown.device_id
    and device_use.month = grown.month
    and device_use.use = grown.use
    and device_use.surface = grown.surface
    and device_use.kind = grown.kind
