-- Sessions that others work in and that ours wait for, longer than $1; and those that were left in the middle of a transaction for
-- longer than $2, while what they read can't be dropped, migrated or vacuumed. The one that holds up most comes first.
--
-- Of other people's sessions a role without pg_read_all_stats sees no times: since when ours wait stands in.
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
