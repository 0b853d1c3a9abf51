-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what active_day held at the end of the day $2 before them.
insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    $1,
    listed.day,
    active_day.scope,
    active_day.surface,
    active_day.kind,
    active_day.family,
    active_day.platform,
    active_day.devices_daily,
    active_day.devices_weekly,
    active_day.devices_in_window
from census.active_day
cross join unnest($3::date[]) as listed (day)
where active_day.app_number = $1
    and active_day.day = $2
