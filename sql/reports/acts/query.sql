-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind or null
select
    app_id,
    act,
    day,
    to_char(acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as acted_at,
    surface,
    kind,
    lifecycle,
    replaced_by,
    devices_certain,
    devices_possible,
    reason
from report.acts
where ($1::text is null or app_id = $1)
    and ($2::date is null or day >= $2)
    and ($3::date is null or day <= $3)
    and ($4::text is null or kind = $4)
order by
    app_id,
    act
