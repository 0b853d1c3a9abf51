-- Made by scripts/generate-sql from view.sql: edit that.
-- $1 app or null, $2 since and $3 until (not used), $4 kind or null
select
    app_id,
    surface,
    kind,
    from_version,
    to_version,
    upgraders,
    lost,
    loss_rate,
    ordinary_rate,
    z,
    evidence,
    devices_at_risk,
    state,
    opened_on
from report.mass_losses
where ($1::text is null or app_id = $1)
    and ($2::date is null or true)
    and ($3::date is null or true)
    and ($4::text is null or kind = $4)
order by
    app_id,
    surface,
    kind,
    from_version,
    to_version
