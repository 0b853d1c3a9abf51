-- Made by scripts/generate-sql from sql/ledger/extend.sql and tables.toml: edit those.
-- Begins the new days $3 of app $1 with what kind_day held at the end of the day $2 before them.
insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there, devices_certain_first_known, devices_possible_first_known)
select
    $1,
    listed.day,
    kind_day.surface,
    kind_day.kind,
    kind_day.devices_certain,
    kind_day.devices_possible,
    kind_day.devices_still_there,
    kind_day.devices_reported,
    kind_day.devices_silent,
    kind_day.widgets_certain,
    kind_day.widgets_possible,
    kind_day.widgets_reported,
    kind_day.widgets_suspect,
    kind_day.widgets_gone,
    kind_day.widgets_still_there,
    kind_day.devices_certain,
    kind_day.devices_possible
from census.kind_day
cross join unnest($3::date[]) as listed (day)
where kind_day.app_number = $1
    and kind_day.day = $2
    -- Rows of zeros stay where something was first known; the days after need none.
    and (
        kind_day.devices_possible <> 0
        or kind_day.devices_silent <> 0
        or kind_day.widgets_reported <> 0
    )
