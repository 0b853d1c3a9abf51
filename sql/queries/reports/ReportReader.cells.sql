-- What was counted for app $1, cell by cell, with the naive number of devices.
select
    live_kinds.day,
    live_kinds.surface,
    live_kinds.kind,
    live_kinds.devices_certain,
    live_kinds.devices_possible,
    live_kinds.devices_expected::double precision,
    kind_day.devices_reported
from report.live_kinds
join census.app
    on app.app_id = live_kinds.app_id
join census.kind_day
    on kind_day.app_number = app.app_number
    and kind_day.day = live_kinds.day
    and kind_day.surface = live_kinds.surface
    and kind_day.kind = live_kinds.kind
where live_kinds.app_id = $1
