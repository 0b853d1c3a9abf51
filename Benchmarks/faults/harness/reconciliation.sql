-- reconciliation: compares answers with stored rows.
--
-- Reads    the journal (copied to `claimed` before), census.observation, census.refused
-- Answers  one row of counts: lost, unclaimed, different, duplicates, partial, stored
create index on claimed (event_id);
analyze claimed;
create temporary table stored as
select event_id, occurred_at, device_id, installation_id, type, content::text as content, surface, platform, os_version,
    app_version, channel, source, null::date as refused_on, false as is_refused
from census.observation
union all
select event_id, null, device_id, null, null, null, null, null, null, null, null, null, refused_on, true
from census.refused;
create index on stored (event_id);
analyze stored;
select
    (select count(*) from claimed
        where acknowledged and not exists (
            select from stored where stored.event_id = claimed.event_id and is_refused = (claimed.content is null))) as lost,
    (select count(*) from stored
        where not exists (
            select from claimed where claimed.event_id = stored.event_id and is_refused = (claimed.content is null))) as unclaimed,
    (select count(*) from stored join claimed using (event_id)
        where stored.device_id <> claimed.device_id
            or not is_refused and (
                stored.occurred_at, stored.installation_id, stored.type, stored.content, stored.surface, stored.platform,
                stored.os_version, stored.app_version, stored.channel, stored.source) is distinct from (
                claimed.occurred_at, claimed.installation_id, claimed.type, claimed.content, 'widget', 'ios', '26.1',
                '20.12.1', 'production', null)) as different,
    -- A refused event is stored once a day, so one sent again after midnight, or after a clock jump, is on both days.
    (select count(*) - count(distinct (event_id, refused_on)) from stored) as duplicates,
    (select count(*) from (
        select from claimed left join (select distinct event_id from stored) as kept using (event_id)
        group by batch
        having count(kept.event_id) not in (0, count(*))) as torn) as partial,
    (select count(*) from stored) as stored
