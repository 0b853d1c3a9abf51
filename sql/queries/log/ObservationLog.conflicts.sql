-- How many redelivered events are stored under their identity with other content. Run only when there were any.
select count(*)
from unnest(
    $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::json[]
) as incoming (device_id, event_id, occurred_at, type, surface, content)
-- Not a plain join, which takes five times as long to plan: the planner tries to join with each partition by itself.
cross join lateral (
    select
        type,
        surface,
        content
    from census.observation
    where observation.device_id = incoming.device_id
        and observation.event_id = incoming.event_id
        and observation.occurred_at = incoming.occurred_at
    limit 1
) as stored
where (stored.type, stored.surface, stored.content::text)
    is distinct from (incoming.type, incoming.surface, incoming.content::text)
