-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to use_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.use_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        use,
        devices,
        events
),
net as (
    select
        day,
        surface,
        kind,
        use,
        sum(devices)::bigint as devices,
        sum(events)::bigint as events
    from taken
    group by
        day,
        surface,
        kind,
        use
)
insert into census.use_day (
    app_number, day, surface, kind, use, devices, events)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.use,
    coalesce(use_day.devices, 0) + net.devices,
    coalesce(use_day.events, 0) + net.events
from net
left join census.use_day
    on use_day.app_number = $1
    and use_day.day = net.day
    and use_day.surface = net.surface
    and use_day.kind = net.kind
    and use_day.use = net.use
where net.devices <> 0
    or net.events <> 0
on conflict (app_number, day, surface, kind, use) do update set
    devices = excluded.devices,
    events = excluded.events
returning use_day.day
