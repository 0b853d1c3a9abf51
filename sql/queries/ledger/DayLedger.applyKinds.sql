-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of kind_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- On the days $3, which are closed for the first time, the result is also the number first known.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.kind_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        devices_certain,
        devices_possible,
        devices_still_there,
        devices_reported,
        devices_silent,
        widgets_certain,
        widgets_possible,
        widgets_reported,
        widgets_suspect,
        widgets_gone,
        widgets_still_there
),
net as (
    select
        day,
        surface,
        kind,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(devices_still_there)::bigint as devices_still_there,
        sum(devices_reported)::bigint as devices_reported,
        sum(devices_silent)::bigint as devices_silent,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible,
        sum(widgets_reported)::bigint as widgets_reported,
        sum(widgets_suspect)::bigint as widgets_suspect,
        sum(widgets_gone)::bigint as widgets_gone,
        sum(widgets_still_there)::bigint as widgets_still_there
    from taken
    group by
        day,
        surface,
        kind
),
touched as (
    select
        surface,
        kind,
        min(day) as first_day
    from net
    group by
        surface,
        kind
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.devices_still_there) over so_far)::bigint as devices_still_there,
        (sum(net.devices_reported) over so_far)::bigint as devices_reported,
        (sum(net.devices_silent) over so_far)::bigint as devices_silent,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
        (sum(net.widgets_reported) over so_far)::bigint as widgets_reported,
        (sum(net.widgets_suspect) over so_far)::bigint as widgets_suspect,
        (sum(net.widgets_gone) over so_far)::bigint as widgets_gone,
        (sum(net.widgets_still_there) over so_far)::bigint as widgets_still_there
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
    window so_far as (
        partition by
            touched.surface,
            touched.kind
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        coalesce(kind_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(kind_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(kind_day.devices_still_there, 0) + running.devices_still_there as devices_still_there,
        coalesce(kind_day.devices_reported, 0) + running.devices_reported as devices_reported,
        coalesce(kind_day.devices_silent, 0) + running.devices_silent as devices_silent,
        coalesce(kind_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(kind_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
        coalesce(kind_day.widgets_reported, 0) + running.widgets_reported as widgets_reported,
        coalesce(kind_day.widgets_suspect, 0) + running.widgets_suspect as widgets_suspect,
        coalesce(kind_day.widgets_gone, 0) + running.widgets_gone as widgets_gone,
        coalesce(kind_day.widgets_still_there, 0) + running.widgets_still_there as widgets_still_there,
        kind_day.devices_certain_first_known,
        kind_day.devices_possible_first_known
    from running
    left join census.kind_day
        on kind_day.app_number = $1
        and kind_day.day = running.day
        and kind_day.surface = running.surface
        and kind_day.kind = running.kind
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.devices_still_there <> 0
        or running.devices_reported <> 0
        or running.devices_silent <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
        or running.widgets_reported <> 0
        or running.widgets_suspect <> 0
        or running.widgets_gone <> 0
        or running.widgets_still_there <> 0
)
insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there, devices_certain_first_known, devices_possible_first_known)
select
    $1,
    day,
    surface,
    kind,
    devices_certain,
    devices_possible,
    devices_still_there,
    devices_reported,
    devices_silent,
    widgets_certain,
    widgets_possible,
    widgets_reported,
    widgets_suspect,
    widgets_gone,
    widgets_still_there,
    case when day = any($3::date[]) then devices_certain else coalesce(devices_certain_first_known, 0) end,
    case when day = any($3::date[]) then devices_possible else coalesce(devices_possible_first_known, 0) end
from restated
on conflict (app_number, day, surface, kind) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    devices_still_there = excluded.devices_still_there,
    devices_reported = excluded.devices_reported,
    devices_silent = excluded.devices_silent,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible,
    widgets_reported = excluded.widgets_reported,
    widgets_suspect = excluded.widgets_suspect,
    widgets_gone = excluded.widgets_gone,
    widgets_still_there = excluded.widgets_still_there,
    devices_certain_first_known = excluded.devices_certain_first_known,
    devices_possible_first_known = excluded.devices_possible_first_known
returning kind_day.day
