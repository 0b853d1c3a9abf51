-- How many redelivered events are stored under their identity with other content. Run only when there were any.
select count(*)
from unnest(
    $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::json[]
) as incoming (device_id, event_id, occurred_at, type, surface, content)
join census.observation
    on observation.device_id = incoming.device_id
    and observation.event_id = incoming.event_id
    and observation.occurred_at = incoming.occurred_at
where (observation.type, observation.surface, observation.content::text)
    is distinct from (incoming.type, incoming.surface, incoming.content::text)
