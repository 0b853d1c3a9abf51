-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what install_day held at the end of the day $2 before them.
insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported)
select
    $1,
    listed.day,
    install_day.surface,
    install_day.kind,
    install_day.family,
    install_day.app_version,
    install_day.os_version,
    install_day.platform,
    install_day.devices_certain,
    install_day.devices_possible,
    install_day.widgets_certain,
    install_day.widgets_possible,
    install_day.widgets_reported
from census.install_day
cross join unnest($3::date[]) as listed (day)
where install_day.app_number = $1
    and install_day.day = $2
