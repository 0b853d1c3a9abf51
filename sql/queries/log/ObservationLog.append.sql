-- Stores what is new in many requests, queues its devices, counts its reads: one statement, one transaction, one round trip.
--
-- Sorted by key so that two nodes that write the same devices lock in the same order; of equal keys the first to arrive stands.
-- Nothing is stored for forgotten devices, nor what may be of one whose hash is gone.
-- Returns one row: how many were new.
with base as materialized (
    select
        device_id,
        folded_through
    from census.device_base
    where device_id = any($1::uuid[])
),
-- From when on events of some devices are stored. Once per device, whatever it sent.
closed as (
    select
        sender.device_id,
        'infinity'::timestamptz as stored_from
    from (
        select distinct
            device_id
        from unnest($1::uuid[]) as sent (device_id)) as sender
    inner join census.forgotten on
        forgotten.device_hash = sha256(uuid_send(sender.device_id))
    union all
    -- No join: Citus mistakes the columns of one with several arrays.
    select distinct
        device_id,
        (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention)
    from unnest($1::uuid[], $6::integer[]) as sent (device_id, app_number)
    where app_number = any((
        select apps_with_expired_hashes
        from census.retention)::integer[])
        and device_id not in (select base.device_id from base)
),
fresh as (
    insert into census.observation (
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted)
    select
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted
    from unnest(
        $1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::uuid[],
        $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
        $16::timestamptz[], $17::timestamptz[], $18::bigint[], $19::json[], $20::boolean[]
    ) with ordinality as incoming (
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted, position)
    where not exists (
        select 1
        from closed
        where closed.device_id = incoming.device_id
            and closed.stored_from > incoming.corrected_at)
    order by
        device_id,
        event_id,
        occurred_at,
        position
    on conflict (device_id, event_id, occurred_at) do nothing
    returning
        app_number,
        device_id,
        corrected_at,
        occurred_at,
        type = 'widgets_reported' and channel = 'production' as is_read,
        -- In canonical spelling, failed reads begin with this.
        content::text like '{"error"%' as is_failed
),
queued as (
    insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
    select
        app_number,
        device_id,
        min(corrected_at),
        min(occurred_at)
    from fresh
    group by
        app_number,
        device_id
),
counted as (
    insert into census.read_entry (app_number, quarter_at, reads, reads_failed)
    select
        fresh.app_number,
        date_bin('15 minutes', fresh.corrected_at, '2000-01-01 00:00:00+00'),
        count(*),
        count(*) filter (where fresh.is_failed)
    from fresh
    -- Not a subquery for each row, of which there may be thousands.
    left join base
        on base.device_id = fresh.device_id
        and base.folded_through >= fresh.corrected_at
    where fresh.is_read
        -- Reads that a base holds were counted when they first arrived, and dropped since. No base reaches into the last day.
        and (
            fresh.corrected_at >= now() - interval '1 day'
            or base.device_id is null
        )
    group by
        fresh.app_number,
        date_bin('15 minutes', fresh.corrected_at, '2000-01-01 00:00:00+00')
)
select count(*) as stored
from fresh
