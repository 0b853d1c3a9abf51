-- name: apps
-- The apps of devices $1, from their events for times before $2 by their clocks.
select
    device_id,
    min(app_number) as app_number
from census.observation
where device_id = any($1::uuid[])
    and occurred_at < $2
group by device_id

-- name: bases
-- The bases of those of devices $1 that are reconciled through $2. For others the stored spans would not follow from the base;
-- devices that can't be reconciled keep their base.
with left_out as (
    select device_id
    from census.pending_device
    where device_id = any($1::uuid[])
        and (earliest_at is null or earliest_at < $2)
    union
    select device_id
    from census.set_aside
    where device_id = any($1::uuid[])
),
base as (
    select
        device_id,
        app_number,
        folded_through,
        state
    from census.device_base
    where device_id = any($1::uuid[])
)
select
    listed.device_id,
    base.app_number,
    base.folded_through,
    base.state
from unnest($1::uuid[]) as listed (device_id)
left join base
    on base.device_id = listed.device_id
where listed.device_id not in (select device_id from left_out)

-- name: begin
-- Settings for a step, which reads some rows of a thousand devices by their keys. Otherwise PostgreSQL reads whole days, again
-- for each step, with parallel workers that take the processors from the other sweep. Each query gets its own plan, because a
-- generic plan locks every day, not only those that are dropped.
set local enable_seqscan = off;
set local max_parallel_workers_per_gather = 0;
set local jit = off;
set local work_mem = '32MB';

-- name: counted
-- The apps of those of devices $1 that were counted, and whether they were first heard from before the stored observations.
-- Only for devices without a base, because looking up all would read a page of a large table for each.
select
    device_id,
    app_number,
    coalesce(
        folded_through is not null
            and first_heard_at < (
                select kept_from::timestamp at time zone 'UTC'
                from census.retention),
        false) as is_early
from census.device
where device_id = any($1::uuid[])

-- name: devices
-- The next devices, after $1 and through $2, at most $4, with stored observations from before $3 by their clock or by ours.
-- is_ahead: some of them are in other partitions than those of days before $3, because clocks were ahead.
select
    device_id,
    bool_or(is_ahead) as is_ahead
from (
    (
        -- Uses only the primary key: reading each row took a sixth of a night's work on old days.
        select distinct
            device_id,
            false as is_ahead
        from census.observation
        where device_id > $1
            and device_id <= $2
            and occurred_at < $3
        order by device_id
        limit $4
    )
    union all
    (
        select distinct
            device_id,
            true as is_ahead
        from census.observation
        where device_id > $1
            and device_id <= $2
            and corrected_at < occurred_at
            and corrected_at < $3
            and occurred_at >= $3
        order by device_id
        limit $4
    )
) as due
group by device_id
order by device_id
limit $4

-- name: isHeard
-- Whether any observation falls between $1 and $2, the starts of days, by its device's clock.
--
-- Not `exists`, for which the planner can choose to read whole partitions.
select true as is_heard
from census.observation
where occurred_at >= $1
    and occurred_at < $2
limit 1

-- name: keepFrom
-- Deletes the hashes of devices forgotten more than a day before $1. A day, because their last events can be dated later:
-- clocks up to an hour ahead are accepted. Records which apps had such devices, and that every observation from the day $1 on
-- is kept. One statement, so that every other one sees either the hash or the record.
with expired as (
    delete from census.forgotten
    where forgotten_at < ($1::date - 1)::timestamp at time zone 'UTC'
        and erasing_device_id is null
    returning app_number
)
update census.retention set
    kept_from = greatest(kept_from, $1::date),
    apps_with_expired_hashes = array(
        select noted.app_number
        from unnest(apps_with_expired_hashes) as noted (app_number)
        union
        select expired.app_number
        from expired
        order by app_number)

-- name: locks
-- The settings that determine the size of the server's lock table.
select
    null::text as worker,
    current_setting('max_locks_per_transaction')::bigint as per_session,
    current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint as sessions,
    1 as shards

-- name: partitions
-- The partitions of observations, by day.
select to_date(its.day, 'YYYYMMDD') as day
from pg_inherits
join pg_class
    on pg_class.oid = pg_inherits.inhrelid
-- Not a plain comparison, for which the planner expects one partition and searches all of them for each.
cross join lateral substring(pg_class.relname from '^observation_([0-9]{8})$') as its (day)
where pg_inherits.inhparent = 'census.observation'::regclass
    and its.day is not null
order by day

-- name: read
-- How long observations are kept, and from which day on.
select
    days,
    kept_from
from census.retention

-- name: saveBases
-- Saves the states that the observations of some devices through $3 led to. A base that includes more stays, because retention
-- was shorter when it was written.
insert into census.device_base (device_id, app_number, folded_through, state)
select
    device_id,
    app_number,
    $3,
    state
from unnest($1::uuid[], $2::integer[], $4::bytea[]) as folded (device_id, app_number, state)
on conflict (device_id) do update set
    folded_through = excluded.folded_through,
    state = excluded.state
where device_base.folded_through < excluded.folded_through

-- name: set
-- Changes how long observations are kept.
update census.retention set
    days = $1

-- name: sweepOther
-- Deletes observations from before $1 that are outside all partitions and in the device's base. Those that are in no base stay:
-- the device is set aside, and is folded from them once it can be.
delete from census.observation_other
where corrected_at < $1
    and exists (
        select 1
        from census.device_base
        where device_base.device_id = observation_other.device_id
            and device_base.folded_through >= observation_other.corrected_at)

-- name: sweepRefused
-- Deletes events refused before the day $1.
delete from census.refused
where refused_on < $1

-- name: sweepWarned
-- Deletes warnings from before the day $1.
delete from census.warned
where warned_on < $1

-- name: takenFrom
-- The time from which on events of devices $1 of apps $2 are stored. Older events are in the device's base, or the device might
-- be a forgotten one whose hash is gone. For other devices every event is stored.
with base as materialized (
    select
        device_id,
        folded_through + interval '1 microsecond' as folded_before
    from census.device_base
    where device_id = any($1::uuid[])
),
kept as (
    select
        kept_from::timestamp at time zone 'UTC' as kept_from,
        apps_with_expired_hashes
    from census.retention
    where kept_from is not null
)
select
    base.device_id,
    least(kept.kept_from, base.folded_before) as taken_from
from base
cross join kept
union all
-- Not a join, because Citus confuses the columns of a join over several arrays.
select
    device_id,
    (
        select kept_from
        from kept) as taken_from
from unnest($1::uuid[], $2::integer[]) as asked (device_id, app_number)
where app_number = any((
    select apps_with_expired_hashes
    from kept)::integer[])
    and device_id not in (select base.device_id from base)
