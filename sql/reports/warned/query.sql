-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (days, included) or null, $4 kind (not used)
select
    app_id,
    day,
    code,
    app_version,
    devices,
    example
from report.warned
where ($1::text is null or app_id = $1)
    and ($2::date is null or day >= $2)
    and ($3::date is null or day <= $3)
    and ($4::text is null or true)
order by
    app_id,
    day,
    devices desc,
    code,
    app_version
