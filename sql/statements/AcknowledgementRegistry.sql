-- name: add
insert into census.acknowledgement (
    app_number, fingerprint, maximum_loss, until_day, acknowledged_by, reason, rule, surface, kind, app_version)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
returning acknowledged_at

-- name: all
-- Every acknowledgement of app $1, in the order in which they were given.
select
    fingerprint,
    maximum_loss,
    until_day as until,
    acknowledged_by as by,
    reason,
    acknowledged_at as at,
    rule,
    surface,
    kind,
    app_version
from census.acknowledgement
where app_number = $1
order by acknowledgement_number

-- name: last
-- The number of the last acknowledgement of finding $2 of app $1; 0 if there is none.
select coalesce(max(acknowledgement_number), 0)
from census.acknowledgement
where app_number = $1
    and fingerprint = $2
