-- How many devices had each kind at the end of each week, and how sure that is.
--
-- A level, not a sum: each week is represented by its last closed day.
with ranked as (
    select
        live_kinds.*,
        date_trunc('week', day)::date as week,
        row_number() over (partition by app_id, surface, kind, date_trunc('week', day) order by day desc) as place
    from {{ source('report', 'live_kinds') }} as live_kinds
)

select
    ranked.app_id,
    ranked.surface,
    ranked.kind,
    ranked.week,
    ranked.day,
    ranked.devices_certain,
    ranked.devices_expected,
    ranked.devices_possible,
    coverage.share_reporting
from ranked
left join {{ source('report', 'coverage') }} as coverage
    on coverage.app_id = ranked.app_id
    and coverage.day = ranked.day
where ranked.place = 1
