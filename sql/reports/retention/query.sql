-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (not used), $4 kind or null
select
    app_id,
    surface,
    kind,
    cohort_week,
    week,
    devices_placed,
    devices_still_certain,
    devices_still_possible
from report.retention
where ($1::text is null or app_id = $1)
    and ($2::date is null or true)
    and ($3::date is null or true)
    and ($4::text is null or kind = $4)
order by
    app_id,
    surface,
    kind,
    cohort_week,
    week
