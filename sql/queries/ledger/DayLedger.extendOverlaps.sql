-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what overlap_day held at the end of the day $2 before them.
insert into census.overlap_day (
    app_number, day, surface, kind, other_kind, devices)
select
    $1,
    listed.day,
    overlap_day.surface,
    overlap_day.kind,
    overlap_day.other_kind,
    overlap_day.devices
from census.overlap_day
cross join unnest($3::date[]) as listed (day)
where overlap_day.app_number = $1
    and overlap_day.day = $2
