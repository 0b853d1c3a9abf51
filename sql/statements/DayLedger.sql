-- name: analyzeCounted
-- Analyzes all tables that a check reads: without statistics the planner takes them as empty, and joins them row by row.
-- Autovacuum might not have reached them yet, as after a restore, and never reaches those with few rows.
-- Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.app,
    census.closed_day,
    census.device,
    census.device_use,
    census.kind_act,
    census.loss_detail,
    census.loss_origin,
    census.loss_watch,
    census.manifest,
    census.manifest_kind,
    census.phase,
    census.read_entry,
    census.read_quarter,
    census.readiness,
    census.reconciled,
    census.refused,
    census.span,
    census.warned

-- name: applyReads
-- Adds the reads of app $1 up to day $2, with days as in zone $3, to their quarters of an hour. Returns the days that
-- changed. Reads that were only erased from the log don't change the numbers of their day.
with taken as (
    delete from census.read_entry
    where app_number = $1
        and (quarter_at at time zone $3)::date <= $2
    returning
        quarter_at,
        reads,
        reads_failed,
        reads_erased,
        reads_failed_erased
),
net as (
    select
        quarter_at,
        sum(reads) as reads,
        sum(reads_failed) as reads_failed,
        sum(reads_erased) as reads_erased,
        sum(reads_failed_erased) as reads_failed_erased
    from taken
    group by quarter_at
),
added as (
    insert into census.read_quarter (
        app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased, is_of_day)
    select
        $1,
        quarter_at,
        reads,
        reads_failed,
        reads_erased,
        reads_failed_erased,
        false
    from net
    on conflict (app_number, quarter_at, is_of_day) do update set
        reads = read_quarter.reads + excluded.reads,
        reads_failed = read_quarter.reads_failed + excluded.reads_failed,
        reads_erased = read_quarter.reads_erased + excluded.reads_erased,
        reads_failed_erased = read_quarter.reads_failed_erased + excluded.reads_failed_erased
    returning quarter_at
)
select distinct
    (added.quarter_at at time zone $3)::date as day
from added
join net
    on net.quarter_at = added.quarter_at
where net.reads <> 0

-- name: apps
-- The apps with their zone, the last day that has ended there, and whether their ledger must be recounted, because it was found
-- to be wrong, or a day between closed ones is not closed. And whether future days are closed: one can be if the zone was
-- changed.
select
    app.app_number,
    app.app_id,
    app.zone,
    (now() at time zone app.zone)::date - 1 as last_ended_day,
    coalesce(app_night.is_doubted, false)
        or coalesce(
            (
                select max(day) - min(day) + 1 > count(*)
                from census.closed_day
                where closed_day.app_number = app.app_number
            ),
            false) as is_doubted,
    coalesce(
        (
            select max(day) > (now() at time zone app.zone)::date
            from census.closed_day
            where closed_day.app_number = app.app_number
        ),
        false) as is_ahead
from census.app
left join census.app_night
    on app_night.app_number = app.app_number
where $1::text is null
    or app.app_id = $1
order by app.app_id

-- name: cells
-- How many cells (day, kind) the days $2 of app $1 have.
select count(*) as cells
from census.kind_day
where app_number = $1
    and day = any($2::date[])

-- name: closed
-- Records that the days of app $1 were closed; $2: whether its ledger was recounted from the spans for that.
insert into census.app_night (app_number, closed_at, recounted_at)
values ($1, now(), case when $2 then now() end)
on conflict (app_number) do update set
    closed_at = excluded.closed_at,
    recounted_at = coalesce(excluded.recounted_at, app_night.recounted_at),
    is_doubted = app_night.is_doubted and excluded.recounted_at is null,
    fault = null,
    failure = null,
    failed_at = null

-- name: closedDays
-- The closed days of app $1.
select day
from census.closed_day
where app_number = $1
order by day

-- name: correctReads
-- Adds the reads $3 and failed reads $4 to app $1 in the quarters of an hour $2. Returns the days that changed, in zone $5.
with wrong as (
    select *
    from unnest($2::timestamptz[], $3::bigint[], $4::bigint[]) as listed (quarter_at, reads, reads_failed)
),
-- Doesn't use `on conflict`, because negative numbers can't be inserted as a row.
updated as (
    update census.read_quarter set
        reads = read_quarter.reads + wrong.reads,
        reads_failed = read_quarter.reads_failed + wrong.reads_failed
    from wrong
    where read_quarter.app_number = $1
        and read_quarter.quarter_at = wrong.quarter_at
        and not read_quarter.is_of_day
    returning read_quarter.quarter_at
),
inserted as (
    insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
    select
        $1,
        quarter_at,
        reads,
        reads_failed
    from wrong
    where quarter_at not in (select quarter_at from updated)
    returning quarter_at
)
select distinct
    (quarter_at at time zone $5)::date as day
from wrong

-- name: countedDevices
-- The next devices of app $1 after $2, with how each was counted: at most $3 devices, and fewer once they have $4 spans.
select
    device_id,
    silent_at,
    reporting_until,
    due_at,
    zone,
    platform,
    first_heard_at
from (
    select
        *,
        sum(last_ordinal) over (
            order by device_id
            rows between unbounded preceding and current row
        ) as spans_through
    from (
        select
            device_id,
            silent_at,
            reporting_until,
            due_at,
            zone,
            platform,
            first_heard_at,
            last_ordinal
        from census.device
        where app_number = $1
            and device_id > $2
            and zone is not null
        order by device_id
        limit $3
    ) as next
) as counted
where spans_through - last_ordinal < $4
order by device_id

-- name: doubt
-- Makes the next night recount the ledgers of apps $1 from the spans.
insert into census.app_night (app_number, is_doubted)
select
    app_number,
    true
from unnest($1::integer[]) as listed (app_number)
group by app_number
order by app_number
on conflict (app_number) do update set
    is_doubted = excluded.is_doubted

-- name: failures
-- For how many apps the last attempt to close their days failed, by fault.
select
    fault,
    count(*) as apps
from census.app_night
where fault is not null
group by fault

-- name: lock
-- One night at a time: a second one waits here, then finds nothing to do. Run it before the transaction's first query, so that
-- its snapshot is taken once the lock is held and the whole night sees the same reconciled data.
set transaction isolation level repeatable read;
lock table census.closed_day in share row exclusive mode;
-- Waits only briefly for other locks, because the next night continues from here.
set local lock_timeout = '1min'

-- name: markRestated
-- Records that the closed days $2 of app $1 changed.
update census.closed_day set
    restated_at = now()
where app_number = $1
    and day = any($2::date[])

-- name: missingDays
-- The days of app $1 that a recount must close.
with
-- The days between the first closed day of app $1 and its last that are not closed.
missing as (
    select day::date as day
    from (
        select generate_series(min(day), max(day), interval '1 day') as day
        from census.closed_day
        where app_number = $1
    ) as spanned
    where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
)
select day
from missing
order by day

-- name: notClosed
-- Records why the days of app $1 could not be closed: fault $2 and sentence $3. If $4 is true, the next night recounts its
-- ledger from the spans.
insert into census.app_night (app_number, fault, failure, failed_at, is_doubted)
values ($1, $2, $3, now(), $4)
on conflict (app_number) do update set
    fault = excluded.fault,
    failure = excluded.failure,
    failed_at = excluded.failed_at,
    is_doubted = app_night.is_doubted or excluded.is_doubted

-- name: openDays
-- Marks the days $2 of app $1 as closed.
insert into census.closed_day (app_number, day)
select
    $1,
    listed.day
from unnest($2::date[]) as listed (day)

-- name: refold
-- Queues all devices of app $1 to be folded from their first observation, even those that have lost their own row.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from (
    select
        app_number,
        device_id
    from census.device
    where app_number = $1
    union
    select
        app_number,
        device_id
    from census.phase
    where app_number = $1
) as heard

-- name: reopen
-- Reopens the closed days of app $1 after $2, which have not ended. A recount then removes them from the ledger, and a night
-- closes each once it has ended.
delete from census.closed_day
where app_number = $1
    and day > $2

-- name: verifySpans
-- Placements that devices of app $1 hold twice at the same time. Spans of a placement must not overlap, or their days are
-- counted twice, in the ledger and also in its check.
-- Returns at most five kinds, with how many spans begin before the previous one has ended.
with in_order as (
    select
        surface,
        kind,
        from_at,
        lag(coalesce(to_at, 'infinity')) over (
            partition by device_id, surface, kind, family, intent, configuration, instance
            order by from_at) as to_at_before
    from census.span
    where app_number = $1
)
select
    null::date as day,
    concat_ws(' ', surface, kind) as cell,
    count(*)::text as ledger,
    '0' as counted
from in_order
where from_at < to_at_before
group by
    surface,
    kind
order by
    count(*) desc,
    surface,
    kind
limit 5

-- name: wrongReads
-- The quarters of an hour of app $1 in which the reads of the ledger and the log differ: the log's reads, how many more that
-- is, and their days in zone $2.
with
-- The quarters of an hour in which the reads of app $1 differ between ledger and log, as far back as the whole log is kept and
-- reads were counted by quarters.
whole as (
    select
        coalesce(
            greatest(
                (select kept_from::timestamp at time zone 'UTC' from census.retention),
                (
                    select max(quarter_at) + interval '1 day'
                    from census.read_quarter
                    where app_number = $1
                        and is_of_day
                )),
            '-infinity') as since
),
counted as (
    select
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
        count(*) as reads,
        count(*) filter (where content::text like '{"error"%') as reads_failed
    from census.observation
    where app_number = $1
        and type = 'widgets_reported'
        and channel = 'production'
        and corrected_at >= (select since from whole)
    group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
),
ledger as (
    select
        quarter_at,
        sum(reads)::bigint as reads,
        sum(reads_failed)::bigint as reads_failed
    from (
        -- The log no longer has the reads of forgotten devices.
        select
            quarter_at,
            reads - reads_erased as reads,
            reads_failed - reads_failed_erased as reads_failed
        from census.read_quarter
        where app_number = $1
            and not is_of_day
        union all
        select
            quarter_at,
            reads - reads_erased,
            reads_failed - reads_failed_erased
        from census.read_entry
        where app_number = $1
    ) as entered
    where quarter_at >= (select since from whole)
    group by quarter_at
),
wrong as (
    select
        quarter_at,
        ledger.reads as ledger_reads,
        ledger.reads_failed as ledger_reads_failed,
        counted.reads as counted_reads,
        counted.reads_failed as counted_reads_failed
    from ledger
    full join counted
        using (quarter_at)
    where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
        is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
)
select
    quarter_at,
    (quarter_at at time zone $2)::date as day,
    coalesce(counted_reads, 0) as counted_reads,
    coalesce(counted_reads_failed, 0) as counted_reads_failed,
    (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
    (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
from wrong
