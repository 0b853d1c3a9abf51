-- Saves how many devices are at risk now: of kinds $3 on surfaces $2 of app $1 and updates to versions $4, from versions $5, or from
-- all where that is null.
with risk as (
    select
        surface,
        kind,
        to_version,
        from_version,
        devices
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) as risk (
        surface, kind, to_version, from_version, devices)
),
origin as (
    update census.loss_origin set
        devices_at_risk = risk.devices
    from risk
    where loss_origin.app_number = $1
        and loss_origin.surface = risk.surface
        and loss_origin.kind = risk.kind
        and loss_origin.to_version = risk.to_version
        and loss_origin.from_version = risk.from_version
)
update census.loss_watch set
    devices_at_risk = risk.devices
from risk
where loss_watch.app_number = $1
    and loss_watch.surface = risk.surface
    and loss_watch.kind = risk.kind
    and loss_watch.to_version = risk.to_version
    and risk.from_version is null
