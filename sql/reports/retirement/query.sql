-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (not used), $4 kind or null
select
    app_id,
    surface,
    kind,
    lifecycle,
    devices_certain,
    devices_possible,
    devices_expected,
    devices_silent,
    devices_with_replacement,
    limit_devices,
    half_life_days,
    half_life_low,
    half_life_high,
    ready_on,
    ready_on_earliest,
    ready_on_latest,
    verdict,
    reason
from report.retirement
where ($1::text is null or app_id = $1)
    and ($2::date is null or true)
    and ($3::date is null or true)
    and ($4::text is null or kind = $4)
order by
    app_id,
    surface,
    kind
