-- name: among
-- Which of the devices $1 were forgotten.
select asked.device_id
from unnest($1::uuid[]) as asked (device_id)
where exists (
    select 1
    from census.forgotten
    where forgotten.device_hash = sha256(uuid_send(asked.device_id)))

-- name: begin
-- Records that device $1 of app $2 was forgotten at $3. Statements that begin after the commit store nothing about it. The
-- device_id stays only until everything about the device is deleted.
insert into census.forgotten (device_hash, app_number, forgotten_at, erasing_device_id)
values (sha256(uuid_send($1)), $2, $3, $1)
on conflict (device_hash) do update set
    forgotten_at = excluded.forgotten_at,
    erasing_device_id = excluded.erasing_device_id

-- name: deleteObservations
-- Deletes the events of device $1 in all partitions, and records how many counted reads the log no longer has. Returns how many
-- events there were.
with deleted as (
    delete from census.observation
    where device_id = $1
    returning
        app_number,
        corrected_at,
        type = 'widgets_reported' and channel = 'production' as is_read,
        content::text like '{"error"%' as is_failed
),
erased as (
    insert into census.read_entry (
        app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased)
    select
        app_number,
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00'),
        0,
        0,
        count(*),
        count(*) filter (where is_failed)
    from deleted
    where is_read
    group by
        app_number,
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
)
select count(*) as events
from deleted

-- name: deleteRefused
-- Deletes the refused events of device $1. Returns how many there were.
with deleted as (
    delete from census.refused
    where device_id = $1
    returning digest
)
select count(*) as events
from deleted

-- name: device
-- How device $1, which is locked, is counted.
select
    app_number,
    silent_at,
    reporting_until,
    due_at,
    zone,
    platform,
    first_heard_at,
    is_cloned
from census.device
where device_id = $1

-- name: end
-- Records that everything about device $1 is deleted, and keeps only the hash.
update census.forgotten set
    erasing_device_id = null
where device_hash = sha256(uuid_send($1))

-- name: holdPartitions
-- Until the transaction ends, no partition is created or dropped: that moves rows between partitions, and a statement planned
-- before would look for them in the old one.
lock table census.partitions_lock in row share mode

-- name: leave
-- Inserts a device without identity that has the past of a forgotten one. It never sent, and never sends, an event.
insert into census.device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, app_version, first_heard_at, last_heard_at,
    silent_at, zone, last_ordinal)
values ($1, $2, $3, false, $4, $5, '', $6, $6, $7, $8, $9)

-- name: unfinished
-- Devices about which something might still be stored, because an erasure was killed or gave up.
select
    forgotten.erasing_device_id as device,
    forgotten.forgotten_at,
    app.app_id
from census.forgotten
join census.app
    on app.app_number = forgotten.app_number
where forgotten.erasing_device_id is not null
order by forgotten.forgotten_at

-- name: writers
-- Those of the transactions $1, or of all if $1 is null, that might be writing events now.
--
-- A statement locks its tables before it takes the snapshot that shows which devices are forgotten, and keeps the locks until
-- its transaction ends. So a transaction that is not listed now will see every device forgotten so far. Comparing transaction
-- ids does not work, because a statement has its snapshot before its transaction has an id.
select distinct virtualtransaction
from pg_locks
where locktype = 'relation'
    and database = (
        select oid
        from pg_database
        where datname = current_database())
    and relation in ('census.observation'::regclass, 'census.refused'::regclass, 'census.warned'::regclass)
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and granted
    and ($1::text[] is null or virtualtransaction = any($1::text[]))
