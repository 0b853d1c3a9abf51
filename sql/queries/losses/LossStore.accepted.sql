-- How many devices may lose kind $3 on surface $2 of app $1 by an update that began on day $4, because a person accepted that
-- beforehand: the last acknowledgement of each finding of preflight, where it still held then, and the holders that were left when
-- the kind was retired (any version, so null).
select
    newest.app_version,
    newest.maximum_loss
from (
    select distinct on (fingerprint)
        app_version,
        maximum_loss,
        until_day,
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
    and newest.until_day >= $4
union all
select
    null,
    -- By the verdict on which it was retired, which has the silent holders, too.
    coalesce(
        (act.figures ->> 'devices_possible')::bigint + (act.figures ->> 'devices_silent')::bigint, act.devices_possible)
from census.kind_state as act
where act.app_number = $1
    and act.surface = $2
    and act.kind = $3
    and act.lifecycle = 'retired'
