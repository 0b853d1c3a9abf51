-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what kind_day_unsettled held at the end of the day $2 before them.
insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    $1,
    listed.day,
    kind_day_unsettled.surface,
    kind_day_unsettled.kind,
    kind_day_unsettled.platform,
    kind_day_unsettled.os_version,
    kind_day_unsettled.claim_rule,
    kind_day_unsettled.devices
from census.kind_day_unsettled
cross join unnest($3::date[]) as listed (day)
where kind_day_unsettled.app_number = $1
    and kind_day_unsettled.day = $2
