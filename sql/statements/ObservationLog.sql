-- name: append
-- Stores the new events of many requests ($1 to $20), queues their devices, counts their reads, and stores refused events ($21
-- to $29; a redelivery on the same day adds nothing) and warnings ($30 to $38): one statement, one transaction, one round trip.
--
-- Sorted by key so that two nodes that write the same devices lock in the same order. Of equal keys, the first to arrive is
-- kept. Stores nothing for forgotten devices, or for events that might belong to one whose hash is gone. Returns one row: how
-- many were new.
with base as materialized (
    select
        device_id,
        folded_through
    from census.device_base
    where device_id = any($1::uuid[])
),
forgotten_sender as materialized (
    select
        sender.device_id
    from (
        select distinct
            device_id
        from unnest($1::uuid[] || $21::uuid[] || $30::uuid[]) as sent (device_id)) as sender
    inner join census.forgotten on
        forgotten.device_hash = sha256(uuid_send(sender.device_id))
),
-- The time from which on events of some devices are stored. Read once per device, whatever it sent.
closed as (
    select
        device_id,
        'infinity'::timestamptz as stored_from
    from forgotten_sender
    union all
    -- Not a join, because Citus confuses the columns of a join over several arrays.
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
    insert into census.pending_device (app_number, device_id, earliest_at, occurred_from, occurred_through)
    select
        app_number,
        device_id,
        min(corrected_at),
        min(occurred_at),
        max(occurred_at)
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
    -- Not a subquery per row, because there can be thousands of rows.
    left join base
        on base.device_id = fresh.device_id
        and base.folded_through >= fresh.corrected_at
    where fresh.is_read
        -- Reads in a base were counted when they first arrived, and dropped since. No base reaches into the last day.
        and (
            fresh.corrected_at >= now() - interval '1 day'
            or base.device_id is null
        )
    group by
        fresh.app_number,
        date_bin('15 minutes', fresh.corrected_at, '2000-01-01 00:00:00+00')
),
refused as (
    insert into census.refused (
        device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
    select
        device_id, refused_on, digest, app_number, received_at, code, message, event_id, event
    from unnest(
        $21::uuid[], $22::date[], $23::bytea[], $24::integer[], $25::timestamptz[], $26::text[], $27::text[],
        $28::text[], $29::bytea[]
    ) as incoming (
        device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
    where device_id not in (select forgotten_sender.device_id from forgotten_sender)
    order by
        device_id,
        refused_on,
        digest
    on conflict (device_id, refused_on, digest) do nothing
),
-- Keeps one warning per device, day and code: the one from the batch with the newest events or, among equal ones, from the
-- batch received first. The result does not depend on the order of batches, or on redeliveries.
warned as (
    insert into census.warned (
        device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
    select distinct on (device_id, warned_on, code)
        device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message
    from unnest(
        $30::uuid[], $31::date[], $32::text[], $33::integer[], $34::timestamptz[], $35::timestamptz[], $36::text[],
        $37::text[], $38::text[]
    ) as incoming (
        device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
    where device_id not in (select forgotten_sender.device_id from forgotten_sender)
    order by
        device_id,
        warned_on,
        code,
        occurred_at desc,
        app_version collate "C" desc,
        pointer collate "C" desc,
        message collate "C" desc,
        received_at
    on conflict (device_id, warned_on, code) do update set
        occurred_at = excluded.occurred_at,
        received_at = excluded.received_at,
        app_version = excluded.app_version,
        pointer = excluded.pointer,
        message = excluded.message
    where (
        excluded.occurred_at, excluded.app_version collate "C", excluded.pointer collate "C",
        excluded.message collate "C", warned.received_at)
        > (warned.occurred_at, warned.app_version, warned.pointer, warned.message, excluded.received_at)
)
select count(*) as stored
from fresh

-- name: conflicts
-- How many redelivered events, sent for times since $7, are stored under their identity with other content. Run it only if
-- there were redeliveries. The time limits the partitions to plan for.
select count(*)
from unnest(
    $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::json[]
) as incoming (device_id, event_id, occurred_at, type, surface, content)
join census.observation as stored
    using (device_id, event_id, occurred_at)
where stored.occurred_at >= $7
    and (stored.type, stored.surface, stored.content::text)
        is distinct from (incoming.type, incoming.surface, incoming.content::text)

-- name: copy
-- Stores new events only: a known one makes the whole copy fail.
--
-- Requests with the same events wait for this transaction. If it loses the connection to us, it must end soon, or it blocks
-- every group with one of these events. The timeout doesn't apply while it waits for the rows themselves;
-- `ObservationLog.endStuck` ends such a session.
set local idle_in_transaction_session_timeout = '3s';
copy census.observation (
    device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
    platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
    rebooted
) from stdin (format binary);

-- name: endStuck
-- Ends sessions of this program that have waited longer than $1 for more rows of a COPY, because their node has stalled. No
-- timeout of PostgreSQL applies in this state, and the sessions hold locks on their keys. Returns a row for each.
select pg_terminate_backend(pid) as is_ended
from pg_stat_activity
where datname = current_database()
    and usename = current_user
    and application_name = 'widget-census'
    and state = 'active'
    and wait_event = 'ClientRead'
    and query_start < clock_timestamp() - $1::interval

-- name: insert
-- Inserts new events ($11 to $30); a known one fails the statement. Queues the devices $1 of the apps $2 that sent them, and
-- counts their reads by app $6 and quarter $7. Reads of device $10 count only if its base does not include the quarter;
-- otherwise they were counted when they first arrived, and dropped since. Costs two thirds of `ObservationLog.append`.
--
-- Returns one row: how many of the devices were forgotten, or might be a device whose hash is gone. If there is one, the
-- statement stores nothing. After `ObservationLog.copy`, pass no events, and roll back if the number is not 0. Run it after the
-- copy: an erasure waits for the copy's locks, so none can begin unseen.
with base as (
    select
        device_id,
        folded_through
    from census.device_base
    where device_id = any($10::uuid[])
),
doubtful as materialized (
    select (
        select count(*)
        from unnest($1::uuid[]) as sender (device_id)
        inner join census.forgotten on
            forgotten.device_hash = sha256(uuid_send(sender.device_id))
    ) + (
        -- Not a join, because Citus confuses the columns of a join over several arrays.
        select count(*)
        from unnest($2::integer[], $3::timestamptz[]) as sender (app_number, earliest_at)
        where sender.app_number = any((
            select apps_with_expired_hashes
            from census.retention)::integer[])
            and sender.earliest_at < (
                select kept_from::timestamp at time zone 'UTC'
                from census.retention)
    ) as devices
),
stored as (
    insert into census.observation (
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted)
    select
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted
    from unnest(
        $11::uuid[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[], $16::integer[],
        $17::uuid[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[],
        $25::text[], $26::timestamptz[], $27::timestamptz[], $28::bigint[], $29::json[], $30::boolean[]
    ) as incoming (
        device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, source,
        platform, os_version, os_build, app_version, channel, booted_at, first_launched_at, gallery_policy, content,
        rebooted)
    where (select doubtful.devices from doubtful) = 0
),
queued as (
    insert into census.pending_device (
        device_id, app_number, earliest_at, occurred_from, occurred_through)
    select
        device_id, app_number, earliest_at, occurred_from, occurred_through
    from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) as sender (
        device_id, app_number, earliest_at, occurred_from, occurred_through)
    where (select doubtful.devices from doubtful) = 0
),
counted as (
    insert into census.read_entry (
        app_number, quarter_at, reads, reads_failed)
    select
        read.app_number,
        read.quarter_at,
        sum(read.reads),
        sum(read.reads_failed)
    from unnest($6::integer[], $7::timestamptz[], $8::bigint[], $9::bigint[], $10::uuid[]) as read (
        app_number, quarter_at, reads, reads_failed, device_id)
    where (select doubtful.devices from doubtful) = 0
        and not exists (
            select 1
            from base
            where base.device_id = read.device_id
                and base.folded_through >= read.quarter_at)
    group by
        read.app_number,
        read.quarter_at
)
select devices as doubtful
from doubtful
