-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to cohort_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.cohort_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        week,
        devices_placed,
        devices_certain,
        devices_possible
),
net as (
    select
        day,
        surface,
        kind,
        week,
        sum(devices_placed)::bigint as devices_placed,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible
    from taken
    group by
        day,
        surface,
        kind,
        week
)
insert into census.cohort_day (
    app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.week,
    coalesce(cohort_day.devices_placed, 0) + net.devices_placed,
    coalesce(cohort_day.devices_certain, 0) + net.devices_certain,
    coalesce(cohort_day.devices_possible, 0) + net.devices_possible
from net
left join census.cohort_day
    on cohort_day.app_number = $1
    and cohort_day.day = net.day
    and cohort_day.surface = net.surface
    and cohort_day.kind = net.kind
    and cohort_day.week = net.week
where net.devices_placed <> 0
    or net.devices_certain <> 0
    or net.devices_possible <> 0
on conflict (app_number, day, surface, kind, week) do update set
    devices_placed = excluded.devices_placed,
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible
returning cohort_day.day
