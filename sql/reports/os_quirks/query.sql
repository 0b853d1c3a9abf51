-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (not used), $4 kind (not used)
select
    app_id,
    platform,
    os_version,
    suspects_settled,
    gone,
    still_there,
    gone_share,
    low,
    high,
    ordinary_removal_share
from report.os_quirks
where ($1::text is null or app_id = $1)
    and ($2::date is null or true)
    and ($3::date is null or true)
    and ($4::text is null or true)
order by
    app_id,
    platform,
    os_version
