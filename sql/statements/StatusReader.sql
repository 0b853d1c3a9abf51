-- name: apps
-- The state of app $1, or of every app, for operators. Reads only small tables, or by the leading columns of a key.
select
    app.app_number,
    app.app_id,
    app.zone,
    (now() at time zone app.zone)::date - 1 as last_ended,
    reconciled.as_of,
    closed.last_day as last_closed,
    -- A night can be late only once there was something to close.
    (
        select min(known_name.first_seen_at)
        from census.known_name
        where known_name.app_number = app.app_number
            and known_name.dimension = 'app_version'
    ) as first_seen_at,
    coalesce(app_night.is_doubted, false) as is_doubted,
    app_night.fault,
    app_night.failure,
    case
        when closed.last_day is not null then (
            select coalesce(sum(device_day.devices_active), 0)::bigint
            from census.device_day
            where device_day.app_number = app.app_number
                and device_day.day = closed.last_day
        )
    end as devices_active,
    coalesce(read.reads, 0)::bigint as reads,
    coalesce(read.reads_failed, 0)::bigint as reads_failed,
    array(
        select loss_watch.kind
        from census.loss_watch
        where loss_watch.app_number = app.app_number
            and loss_watch.state = 'open'
        order by
            loss_watch.opened_on desc,
            loss_watch.kind
    ) as open_losses,
    coalesce(webhook.failing, 0)::bigint as webhooks_failing,
    coalesce(webhook.given_up, 0)::bigint as messages_given_up,
    exists (
        select 1
        from census.api_key
        where api_key.app_number = app.app_number
            and api_key.role = 'write'
            and api_key.revoked_at is null
    ) as has_write_key
from census.app
cross join lateral (
    select max(closed_day.day) as last_day
    from census.closed_day
    where closed_day.app_number = app.app_number
) as closed
left join census.reconciled
    on reconciled.app_number = app.app_number
left join census.app_night
    on app_night.app_number = app.app_number
-- The reads of the app's current day: those that no night has processed, and those that a night processed before the day ended.
left join lateral (
    select
        sum(today.reads) as reads,
        sum(today.reads_failed) as reads_failed
    from (
        select
            read_entry.reads,
            read_entry.reads_failed
        from census.read_entry
        where read_entry.app_number = app.app_number
            and read_entry.quarter_at >= date_trunc('day', now(), app.zone)
        union all
        select
            read_quarter.reads,
            read_quarter.reads_failed
        from census.read_quarter
        where read_quarter.app_number = app.app_number
            and read_quarter.quarter_at >= date_trunc('day', now(), app.zone)
            and not read_quarter.is_of_day
    ) as today
) as read
    on true
left join lateral (
    select
        count(distinct webhook.webhook_number) filter (
            where webhook.failing_since is not null
                or webhook.gone_at is not null) as failing,
        count(*) filter (
            where webhook_delivery.given_up_at > now() - interval '7 days'
                and webhook_delivery.type <> 'webhook.test') as given_up
    from census.webhook
    left join census.webhook_delivery
        on webhook_delivery.webhook_number = webhook.webhook_number
    where webhook.app_number = app.app_number
        and webhook.removed_at is null
) as webhook
    on true
where $1::integer is null
    or app.app_number = $1
order by app.app_id

-- name: blockers
-- Other people's sessions that ours have waited for longer than $1, and those left idle in a transaction for longer than $2, so
-- that tables they read can't be dropped, migrated or vacuumed. The one that blocks most sessions comes first.
--
-- A role without pg_read_all_stats sees no times of other people's sessions, so the start of our wait replaces them.
with waiting as (
    select
        blocker.pid,
        count(*) as sessions,
        min(waiter.query_start) as since
    from pg_stat_activity as waiter
    cross join lateral unnest(pg_blocking_pids(waiter.pid)) as blocker (pid)
    where waiter.datname = current_database()
        and waiter.application_name = 'widget-census'
        and waiter.wait_event_type = 'Lock'
        and waiter.query_start < clock_timestamp() - $1::interval
    group by blocker.pid
)
select
    session.pid,
    coalesce(session.usename, '')::text as role,
    coalesce(session.xact_start, waiting.since) as since,
    coalesce(waiting.sessions, 0) as waiting
from pg_stat_activity as session
left join waiting
    on waiting.pid = session.pid
where session.datname = current_database()
    and coalesce(session.application_name, '') <> 'widget-census'
    and session.backend_type = 'client backend'
    and (
        waiting.pid is not null
        or session.state like 'idle in transaction%'
        and session.state_change < clock_timestamp() - $2::interval)
order by
    waiting desc,
    since,
    session.pid
limit 5

-- name: database
-- The server's version, its clock, the length of the reconciler's queue of app $2 or of all, since when its oldest device waits
-- (both from $1 entries at most), and what prevents writes.
select
    current_setting('server_version') as version,
    now() as asked_at,
    queue.pending,
    queue.pending_since,
    pg_is_in_recovery() as is_standby,
    -- Null if it is off.
    (
        select source
        from pg_settings
        where name = 'default_transaction_read_only'
            and setting = 'on') as source,
    current_user::text as role,
    current_database()::text as database
from (
    select
        -- A device can have several entries.
        case when count(*) < $1 then count(distinct device_id) else count(*) end as pending,
        min(queued_at) as pending_since
    from (
        select
            device_id,
            queued_at
        from census.pending_device
        where $2::integer is null
            or app_number = $2
        limit $1
    ) as counted
) as queue

-- name: night
-- The last night, with its results.
select
    run_number,
    started_at,
    finished_at,
    failure,
    devices,
    days_closed,
    days_restated,
    apps_failed,
    coalesce(reconcile_seconds, 0) + coalesce(close_seconds, 0) + coalesce(keep_seconds, 0)
        + coalesce(verify_seconds, 0) as seconds
from census.night_run
order by run_number desc
limit 1

-- name: refused
-- Events of app $1 that the server refused on the days $2, counted up to $3.
select count(*) as events
from (
    select 1
    from census.refused
    where app_number = $1
        and refused_on = any($2::date[])
    limit $3
) as counted

-- name: setAside
-- Devices that are set aside, by app, and the reason for one of them. Implausible ones need no attention.
select
    app_number,
    count(*) as devices,
    min(reason collate "C") as reason
from census.set_aside
where not is_implausible
group by app_number
