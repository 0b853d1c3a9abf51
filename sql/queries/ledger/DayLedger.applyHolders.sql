-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Adds to holder_day what it is more or less by: the net changes of app $1 up to day $2 are taken.
-- Answers the days that changed, one row per cell.
with taken as (
    delete from census.holder_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        cause,
        devices_added,
        devices_removed
),
net as (
    select
        day,
        surface,
        kind,
        cause,
        sum(devices_added)::bigint as devices_added,
        sum(devices_removed)::bigint as devices_removed
    from taken
    group by
        day,
        surface,
        kind,
        cause
)
insert into census.holder_day (
    app_number, day, surface, kind, cause, devices_added, devices_removed)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.cause,
    coalesce(holder_day.devices_added, 0) + net.devices_added,
    coalesce(holder_day.devices_removed, 0) + net.devices_removed
from net
left join census.holder_day
    on holder_day.app_number = $1
    and holder_day.day = net.day
    and holder_day.surface = net.surface
    and holder_day.kind = net.kind
    and holder_day.cause = net.cause
where net.devices_added <> 0
    or net.devices_removed <> 0
on conflict (app_number, day, surface, kind, cause) do update set
    devices_added = excluded.devices_added,
    devices_removed = excluded.devices_removed
returning holder_day.day
