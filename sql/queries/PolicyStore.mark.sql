-- Writes down an act with the numbers on which it was done; the same again changes nothing.
with current as (
    select lifecycle
    from census.kind_act
    where app_number = $1
        and surface = $2
        and kind = $3
    order by act_number desc
    limit 1
)
insert into census.kind_act (app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible)
select
    app.app_number,
    $2,
    $3,
    $4,
    $5,
    coalesce(live_now.devices_certain, 0),
    coalesce(live_now.devices_possible, 0)
from census.app
left join report.live_now
    on live_now.app_id = app.app_id
    and live_now.surface = $2
    and live_now.kind = $3
where app.app_number = $1
    and coalesce((select lifecycle from current), 'active') <> $4
returning
    act_number,
    devices_certain,
    devices_possible
