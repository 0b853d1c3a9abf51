-- How many devices may lose kind $3 on surface $2 of app $1, because a person accepted that beforehand: the last acknowledgement
-- of each finding of preflight, and the holders that were left when the kind was retired (any version, so null).
select
    newest.app_version,
    newest.maximum_loss
from (
    select distinct on (fingerprint)
        app_version,
        maximum_loss,
        surface,
        kind
    from census.acknowledgement
    where app_number = $1
    order by
        fingerprint,
        acknowledgement_number desc
) as newest
where newest.surface = $2
    and newest.kind = $3
    and newest.app_version is not null
union all
select
    null,
    coalesce(readiness.devices_possible + readiness.devices_silent, act.devices_possible)
from census.kind_state as act
join census.app
    on app.app_number = act.app_number
left join lateral (
    select
        devices_possible,
        devices_silent
    from census.readiness
    where app_number = $1
        and surface = $2
        and kind = $3
        and day <= (act.acted_at at time zone app.zone)::date
    order by day desc
    limit 1
) as readiness
    on true
where act.app_number = $1
    and act.surface = $2
    and act.kind = $3
    and act.lifecycle = 'retired'
