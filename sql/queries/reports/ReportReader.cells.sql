-- What was counted for app $1, cell by cell: the closed days since $2 or all, of surface $3 or all, of kind $4 or all; with the
-- naive number of devices.
select
    live_kinds.day,
    live_kinds.surface,
    live_kinds.kind,
    live_kinds.devices_certain,
    live_kinds.devices_possible,
    live_kinds.devices_expected::double precision as devices_expected,
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
    and live_kinds.day >= coalesce($2::date, '-infinity')
    and kind_day.day >= coalesce($2::date, '-infinity')
    and ($3::text is null or live_kinds.surface = $3)
    and ($4::text is null or live_kinds.kind = $4)
order by live_kinds.day
