-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of overlap_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.overlap_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        other_kind,
        devices
),
net as (
    select
        day,
        surface,
        kind,
        other_kind,
        sum(devices)::bigint as devices
    from taken
    group by
        day,
        surface,
        kind,
        other_kind
),
touched as (
    select
        surface,
        kind,
        other_kind,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        other_kind
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.other_kind,
        (sum(net.devices) over so_far)::bigint as devices
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.other_kind = touched.other_kind
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.other_kind
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.other_kind,
        coalesce(overlap_day.devices, 0) + running.devices as devices
    from running
    left join census.overlap_day
        on overlap_day.app_number = $1
        and overlap_day.day = running.day
        and overlap_day.surface = running.surface
        and overlap_day.kind = running.kind
        and overlap_day.other_kind = running.other_kind
    where running.devices <> 0
)
insert into census.overlap_day (
    app_number, day, surface, kind, other_kind, devices)
select
    $1,
    day,
    surface,
    kind,
    other_kind,
    devices
from restated
on conflict (app_number, day, surface, kind, other_kind) do update set
    devices = excluded.devices
returning overlap_day.day
