-- How many redelivered events, sent for times since $7, are stored under their identity with other content. Run only when there
-- were any. The time says which partitions to plan for.
select count(*)
from unnest(
    $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::json[]
) as incoming (device_id, event_id, occurred_at, type, surface, content)
join census.observation as stored
    using (device_id, event_id, occurred_at)
where stored.occurred_at >= $7
    and (stored.type, stored.surface, stored.content::text)
        is distinct from (incoming.type, incoming.surface, incoming.content::text)
