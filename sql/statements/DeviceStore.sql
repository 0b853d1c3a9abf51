-- name: app
-- The app of device $1, or no row if nothing is stored about it.
select app_number
from (
    select app_number
    from census.device
    where device_id = $1
    union all
    select app_number
    from census.pending_device
    where device_id = $1
    union all
    select app_number
    from census.observation
    where device_id = $1
    union all
    select app_number
    from census.refused
    where device_id = $1
) as stored
limit 1

-- name: begin
-- Settings for a step, which reads a few rows of several hundred devices by their keys.
--
-- Without them PostgreSQL plans each query again for the given ids, over every partition, which takes a fifth of the step. It
-- also reads the whole queue for the next devices. So one plan is kept, which must not be a plan for empty tables, or be
-- compiled. Sorting what devices send on a busy day takes more than 4 MB. Citus chooses shards by the given values, and refuses
-- to plan without them.
select set_config(
    'plan_cache_mode',
    case when to_regclass('pg_catalog.pg_dist_partition') is null then 'force_generic_plan' else 'auto' end,
    true);
set local enable_seqscan = off;
set local jit = off;
set local work_mem = '32MB';
set local synchronous_commit = off;

-- name: take
-- Takes the queue entries of devices that are locked now. They are gone once the work is committed. If another reconciler held
-- the lock before, there is nothing left to take.
--
-- Returns a row for each device: the number of its entries, the smallest of their numbers, the times of all of them, null if one
-- has none, and since when it waits.
with taken as (
    delete from census.pending_device
    where device_id = any($1::uuid[])
    returning
        app_number,
        device_id,
        pending_number,
        earliest_at,
        occurred_from,
        occurred_through,
        queued_at
)
select
    app_number,
    device_id,
    count(*) as entries,
    min(pending_number) as pending_number,
    case when count(earliest_at) = count(*) then min(earliest_at) end as earliest_at,
    case when count(occurred_from) = count(*) then min(occurred_from) end as occurred_from,
    case when count(occurred_through) = count(*) then max(occurred_through) end as occurred_through,
    min(queued_at) as queued_at
from taken
group by
    app_number,
    device_id

-- name: entries
-- The queue entries of devices.
select
    device_id as device,
    pending_number as number
from census.pending_device
where device_id = any($1::uuid[])

-- name: left
-- Those of the queue entries $2 of devices $1 that are still there.
select
    device_id as device,
    pending_number as number
from census.pending_device
join unnest($1::uuid[], $2::bigint[]) as seen (device_id, pending_number)
    using (device_id, pending_number)

-- name: countSetAside
-- How many devices are set aside as implausible, and how many for other reasons.
select
    count(*) filter (where not is_implausible) as devices,
    count(*) filter (where is_implausible) as implausible
from census.set_aside

-- name: devices
-- What is stored about some devices; if their first observations are no longer kept, also the state they led to. A device
-- without that state might lack its past.
with stored as (
    select
        device_id,
        silent_at,
        reporting_until,
        due_at,
        zone,
        folded_through,
        last_ordinal,
        checkpoint,
        platform,
        first_heard_at
    from census.device
    where device_id = any($1::uuid[])
),
base as (
    select
        device_id,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
),
implausible as (
    select device_id
    from census.set_aside
    where device_id = any($1::uuid[])
        and is_implausible
)
select
    listed.device_id,
    stored.silent_at,
    stored.reporting_until,
    stored.due_at,
    stored.zone,
    stored.folded_through,
    stored.last_ordinal,
    stored.checkpoint,
    stored.platform,
    stored.first_heard_at,
    base.folded_through as base_through,
    base.state as base_state,
    base.device_id is null
        and stored.folded_through is not null
        and stored.first_heard_at < (
            select kept_from::timestamp at time zone 'UTC'
            from census.retention) as may_lack_past,
    implausible.device_id is not null as is_implausible
from unnest($1::uuid[]) as listed (device_id)
left join stored
    on stored.device_id = listed.device_id
left join base
    on base.device_id = listed.device_id
left join implausible
    on implausible.device_id = listed.device_id

-- name: due
-- At most $2 devices with time-based changes due by $1, and none after states of $3 bytes; by id.
select
    device_id
from (
    select
        device_id,
        octet_length(checkpoint) as bytes,
        sum(octet_length(checkpoint)) over (
            order by due_at, device_id
            rows between unbounded preceding and current row
        ) as bytes_through
    from (
        select
            device_id,
            due_at,
            checkpoint
        from census.device
        where due_at <= $1
        order by due_at, device_id
        limit $2
    ) as next
) as due
where coalesce(bytes_through, 0) - coalesce(bytes, 0) < $3
order by device_id

-- name: dueDevices
-- What is stored about those of devices $1 that are still due by $2.
select
    device_id,
    app_number,
    silent_at,
    reporting_until,
    due_at,
    zone,
    platform,
    first_heard_at
from census.device
where device_id = any($1::uuid[])
    and due_at <= $2

-- name: growUses
-- Adds a day $6 with $7 events to the uses of devices $1 in months $2, each by its use $3, surface $4 and kind $5. If it is
-- already the last day, $7 is that day's total. Writes no index.
update census.device_use set
    days = case when days[cardinality(days)] = grown.day then days
        else days || grown.day end,
    events = case when days[cardinality(days)] = grown.day then device_use.events[:cardinality(days) - 1]
        else device_use.events end || grown.events
from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[]) as grown (
    device_id, month, use, surface, kind, day, events)
where device_use.device_id = grown.device_id
    and device_use.month = grown.month
    and device_use.use = grown.use
    and device_use.surface = grown.surface
    and device_use.kind = grown.kind

-- name: lackingPast
-- Those of devices $1 whose first observation is no longer kept. If no base has it either, they lack their past. A device that
-- has a forgotten one's past was never folded.
select device_id
from census.device
where device_id = any($1::uuid[])
    and not exists (
        select 1
        from census.observation
        where observation.device_id = device.device_id
            and observation.corrected_at <= device.first_heard_at)

-- name: leaveOut
-- Stops counting devices $1, which have an unreadable stored row, until it can be read.
update census.device set
    zone = null,
    due_at = null
where device_id = any($1::uuid[])

-- name: lock
-- Locks the devices, so that one reconciler at a time works on each. They are sorted, so that two reconcilers can't deadlock;
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

-- name: lockFree
-- Locks those of the devices that nobody else has locked, and returns them. Waits for none.
select device_id
from unnest($1::uuid[]) as listed (device_id)
where pg_try_advisory_xact_lock(hashtextextended(device_id::text, 7))

-- name: newest
-- The state that device $1 was folded to, and its queue entries. Doesn't read observations, because phones wait for the answer.
select
    device.checkpoint,
    device.folded_through,
    waiting.earliest_at,
    waiting.occurred_from,
    waiting.is_from_start,
    exists (
        select 1
        from census.set_aside
        where set_aside.device_id = $1
            and is_implausible) as is_implausible
from (
    select
        min(earliest_at) as earliest_at,
        min(occurred_from) as occurred_from,
        coalesce(bool_or(earliest_at is null), false) as is_from_start
    from census.pending_device
    where device_id = $1
) as waiting
left join census.device
    on device.device_id = $1

-- name: next
-- The next devices of the queue after $1 and through $3, by id. A sweep visits each device once, no matter how often it is
-- queued. A device that an open transaction queued is not visible yet; a later sweep visits it, because positions are not
-- stored.
select distinct device_id
from census.pending_device
where device_id > $1
    and device_id <= $3
order by device_id
limit $2

-- name: observations
-- The next observations in fold order, device by device: what devices $1 sent for times as sent since $2 and before $10, and
-- corrected times after $3 and before $11, at most $4 rows. Starts after the place of device $5, corrected time $6, report or not
-- $7, id $8 and time as sent $9. What a row says is null if it has more than $12 bytes.
select
    device_id,
    event_id collate "C" as event_id,
    occurred_at,
    corrected_at,
    installation_id,
    type,
    surface,
    platform,
    os_version,
    app_version,
    channel,
    booted_at,
    first_launched_at,
    case when octet_length(content::text) <= $12 then content::text end as said,
    os_build,
    gallery_policy,
    rebooted
from census.observation
where device_id = any($1::uuid[])
    and occurred_at >= $2
    and occurred_at < $10
    and corrected_at > $3
    and corrected_at < $11
    and (device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at)
        > ($5, $6, $7, $8 collate "C", $9)
order by device_id, corrected_at, type = 'widgets_reported', event_id collate "C", occurred_at
limit $4

-- name: weighed
-- With `DeviceStore.observations` as `next`: none of these after $13 bytes of texts.
summed as (
    select
        next.*,
        bytes,
        sum(bytes) over (
            order by device_id, corrected_at, type = 'widgets_reported', event_id, occurred_at
            rows between unbounded preceding and current row
        ) as bytes_through
    from next
    cross join lateral (
        select
            octet_length(said) + octet_length(event_id) + octet_length(app_version) + octet_length(channel)
            + coalesce(octet_length(os_version), 0) + coalesce(octet_length(os_build), 0) as bytes
    ) as texts
)
select
    device_id,
    event_id,
    occurred_at,
    corrected_at,
    installation_id,
    type,
    surface,
    platform,
    os_version,
    app_version,
    channel,
    booted_at,
    first_launched_at,
    said,
    os_build,
    gallery_policy,
    rebooted,
    bytes_through
from summed
where bytes_through - bytes < $13
order by device_id, corrected_at, type = 'widgets_reported', event_id, occurred_at

-- name: pending
-- The number of entries in the reconciler's queue, and how long the oldest of them has waited. Reads $1 entries at most. Used for
-- monitoring, so it must stay cheap if the queue is long.
select
    count(*) as entries,
    coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::double precision as seconds
from (
    select queued_at
    from census.pending_device
    limit $1
) as counted

-- name: putBack
-- Queues devices $2 of apps $1 again, because they were too many for one step. Each entry keeps the number of the device's
-- first one, so that a session that waits for that one still sees it, and the time since which the device waits.
insert into census.pending_device (
    app_number, device_id, pending_number, earliest_at, occurred_from, occurred_through, queued_at)
    overriding system value
select
    app_number,
    device_id,
    pending_number,
    earliest_at,
    occurred_from,
    occurred_through,
    queued_at
from unnest(
    $1::integer[], $2::uuid[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[]) as put_back (
    app_number, device_id, pending_number, earliest_at, occurred_from, occurred_through, queued_at)

-- name: queueAll
-- Queues every device to be folded again from its base, because the rules have changed.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device

-- name: queueOutdated
-- Queues the devices last folded under rules older than $2, or before states began with $1. A program that was still running
-- might have folded them after they were queued for the new rules. The offsets are those of StateHeader.
with queued as (
    insert into census.pending_device (app_number, device_id)
    select
        app_number,
        device_id
    from census.device
    where (substring(checkpoint from 1 for 4) <> $1 or substring(checkpoint from 7 for 2) < $2)
        and not exists (
            select 1
            from census.pending_device
            where pending_device.device_id = device.device_id
                and earliest_at is null)
    returning device_id
)
select count(*) as devices
from queued

-- name: queued
-- How many devices wait to be reconciled. Reads the whole queue, so use it at the start of a night, not for a gauge.
select count(*) as devices
from (
    select device_id
    from census.pending_device
    group by device_id
) as queued

-- name: reconciled
-- Records how far an app is reconciled.
insert into census.reconciled (app_number, as_of)
values ($1, $2)
on conflict (app_number) do update set
    as_of = greatest(reconciled.as_of, excluded.as_of)
where reconciled.as_of < excluded.as_of

-- name: retrySetAside
-- Queues every device that was set aside, to be folded from its first observation; implausible ones are not retried.
with queued as (
    insert into census.pending_device (app_number, device_id)
    select
        app_number,
        device_id
    from census.set_aside
    where not is_implausible
    returning device_id
)
select count(*) as devices
from queued

-- name: rulesAreNew
-- Whether the rules changed in the last 30 days, so that a node that folds by older ones might still run. A new database has
-- none.
select exists (
    select 1
    from census_schema.version as states
    where states.version = -1
        and states.applied_at > now() - interval '30 days'
        and states.applied_at > (select min(applied_at) from census_schema.version)) as are_new

-- name: setAside
-- Records why devices could not be reconciled and deletes their checkpoints, so a retry folds them from their first
-- observation.
with forgotten as (
    update census.device set
        checkpoint = null
    where device_id = any($1::uuid[])
)
insert into census.set_aside (device_id, app_number, reason, is_implausible)
select
    device_id,
    app_number,
    reason,
    is_implausible
from unnest($1::uuid[], $2::integer[], $3::text[], $4::boolean[]) as failed (
    device_id, app_number, reason, is_implausible)
on conflict (device_id) do update set
    set_aside_at = excluded.set_aside_at,
    reason = excluded.reason,
    is_implausible = excluded.is_implausible

-- name: takeBack
-- Deletes the reasons why devices could not be reconciled, now that they are.
delete from census.set_aside
where device_id = any($1::uuid[])
