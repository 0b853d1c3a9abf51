-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to change_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.change_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        family,
        cause,
        widgets_added,
        widgets_removed
),
net as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        sum(widgets_added)::bigint as widgets_added,
        sum(widgets_removed)::bigint as widgets_removed
    from taken
    group by
        day,
        surface,
        kind,
        family,
        cause
)
insert into census.change_day (
    app_number, day, surface, kind, family, cause, widgets_added, widgets_removed)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.family,
    net.cause,
    coalesce(change_day.widgets_added, 0) + net.widgets_added,
    coalesce(change_day.widgets_removed, 0) + net.widgets_removed
from net
left join census.change_day
    on change_day.app_number = $1
    and change_day.day = net.day
    and change_day.surface = net.surface
    and change_day.kind = net.kind
    and change_day.family = net.family
    and change_day.cause = net.cause
where net.widgets_added <> 0
    or net.widgets_removed <> 0
on conflict (app_number, day, surface, kind, family, cause) do update set
    widgets_added = excluded.widgets_added,
    widgets_removed = excluded.widgets_removed
returning change_day.day
