-- One COPY for many requests, then one statement that keeps what is new and queues its devices, all in one transaction:
-- the statements of a simple query share one.
--
-- Sorted by key so that two nodes that write the same devices take their locks in the same order.
-- Answers one row: how many came, how many were new, how many were known with another content.
create temporary table if not exists incoming (like census.observation) on commit delete rows;
copy incoming (
    device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
    platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content
) from stdin (format binary);
with fresh as (
    insert into census.observation (
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content)
    select
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content
    from incoming
    order by
        device_id,
        event_id,
        occurred_at
    on conflict (device_id, event_id, occurred_at) do nothing
    returning
        app_number,
        device_id
),
queued as (
    insert into census.pending_device (app_number, device_id)
    select distinct
        app_number,
        device_id
    from fresh
),
counted as (
    select
        (select count(*) from incoming) as came,
        (select count(*) from fresh) as stored
)
select
    came,
    stored,
    -- The stored side is as of before this statement: only events that were known already.
    case
        when stored < came then (
            select count(*)
            from incoming
            join census.observation
                on observation.device_id = incoming.device_id
                and observation.event_id = incoming.event_id
                and observation.occurred_at = incoming.occurred_at
            where (observation.type, observation.surface, observation.content::text)
                is distinct from (incoming.type, incoming.surface, incoming.content::text))
        else 0
    end as conflicting
from counted;
