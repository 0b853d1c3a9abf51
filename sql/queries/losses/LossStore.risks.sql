-- What is stored of the devices at risk from updates of app $1: for each watch that was judged, and for each version from which
-- devices came.
select
    surface,
    kind,
    to_version,
    null as from_version,
    devices_at_risk
from census.loss_watch
where app_number = $1
    and judged_on is not null
union all
select
    surface,
    kind,
    to_version,
    from_version,
    devices_at_risk
from census.loss_origin
where app_number = $1
