-- Queues the devices $1 of the apps $2 whose events `ObservationLog.copy` stored in this transaction, and counts their reads
-- by app $5 and quarter $6. Reads of device $9 count only where its base does not hold the quarter: if it does, they were
-- counted when they first arrived, and dropped since.
--
-- Returns one row: how many of the devices were forgotten, or may be one whose hash is gone. Unless none are, the transaction must
-- not be committed. Runs after the copy, whose locks an erasure waits for, so that none can begin unseen.
with base as (
    select
        device_id,
        folded_through
    from census.device_base
    where device_id = any($9::uuid[])
),
queued as (
    insert into census.pending_device (
        device_id, app_number, earliest_at, occurred_from)
    select
        device_id, app_number, earliest_at, occurred_from
    from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[]) as arrived (
        device_id, app_number, earliest_at, occurred_from)
),
counted as (
    insert into census.read_entry (
        app_number, quarter_at, reads, reads_failed)
    select
        read.app_number,
        read.quarter_at,
        sum(read.reads),
        sum(read.reads_failed)
    from unnest($5::integer[], $6::timestamptz[], $7::bigint[], $8::bigint[], $9::uuid[]) as read (
        app_number, quarter_at, reads, reads_failed, device_id)
    where not exists (
        select 1
        from base
        where base.device_id = read.device_id
            and base.folded_through >= read.quarter_at)
    group by
        read.app_number,
        read.quarter_at
)
select (
    select count(*)
    from unnest($1::uuid[]) as sender (device_id)
    inner join census.forgotten on
        forgotten.device_hash = sha256(uuid_send(sender.device_id))
) + (
    -- No join: Citus mistakes the columns of one with several arrays.
    select count(*)
    from unnest($2::integer[], $3::timestamptz[]) as sender (app_number, earliest_at)
    where sender.app_number = any((
        select apps_with_expired_hashes
        from census.retention)::integer[])
        and sender.earliest_at < (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention)
) as doubtful
