-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what version_day held at the end of the day $2 before them.
insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    $1,
    listed.day,
    version_day.surface,
    version_day.kind,
    version_day.app_version,
    version_day.os_version,
    version_day.platform,
    version_day.devices_certain,
    version_day.devices_possible,
    version_day.widgets_certain,
    version_day.widgets_possible
from census.version_day
cross join unnest($3::date[]) as listed (day)
where version_day.app_number = $1
    and version_day.day = $2
