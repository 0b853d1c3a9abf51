-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (not used), $4 kind or null
select
    app_id,
    surface,
    kind,
    devices_certain,
    devices_possible,
    devices_expected,
    widgets_certain,
    widgets_possible,
    widgets_reported,
    to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as as_of
from report.live_now
where ($1::text is null or app_id = $1)
    and ($2::date is null or true)
    and ($3::date is null or true)
    and ($4::text is null or kind = $4)
order by
    app_id,
    surface,
    devices_possible desc,
    kind
