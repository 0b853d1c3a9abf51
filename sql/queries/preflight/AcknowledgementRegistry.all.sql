-- Every acknowledgement of app $1, as they were given.
select
    fingerprint,
    maximum_loss,
    until_day,
    acknowledged_by,
    reason,
    acknowledged_at,
    rule,
    surface,
    kind,
    app_version
from census.acknowledgement
where app_number = $1
order by acknowledgement_number
