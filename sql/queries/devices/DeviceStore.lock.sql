-- One reconciler at a time for each device. The devices are sorted, so that two reconcilers cannot wait for each other;
-- `materialized` and the order of the array keep PostgreSQL from locking in another order.
with wanted as materialized (
    select
        device_id,
        position
    from unnest($1::uuid[]) with ordinality as listed (device_id, position)
    order by position
)
select count(pg_advisory_xact_lock(hashtextextended(device_id::text, 7)))
from wanted
