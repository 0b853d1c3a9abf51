-- Claims about retention that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.cohort_day set devices_certain = devices_possible + 1
select
    'fail' as severity,
    '0 <= devices_still_certain <= devices_still_possible <= devices_placed' as claim,
    count(*) as found
from report.retention
where not (
    0 <= devices_still_certain
    and devices_still_certain <= devices_still_possible
    and devices_still_possible <= devices_placed)
union all
-- Harm: update census.cohort_day set devices_certain = 1000000, devices_possible = 1000000, devices_placed = 1000000
select
    'fail' as severity,
    'all cohorts of a kind together have no more devices than live_kinds' as claim,
    count(*) as found
from (
    select
        app_id,
        surface,
        kind,
        cohort_week + week::integer * 7 + 6 as day,
        sum(devices_still_certain) as devices_certain,
        sum(devices_still_possible) as devices_possible
    from report.retention
    group by
        app_id,
        surface,
        kind,
        cohort_week + week::integer * 7 + 6
) as cohorts
left join report.live_kinds
    using (app_id, day, surface, kind)
where cohorts.devices_certain > coalesce(live_kinds.devices_certain, 0)
    or cohorts.devices_possible > coalesce(live_kinds.devices_possible, 0)
