-- Claims about time_to_first_widget that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.first_widget_day set devices = -1000000 where outcome = 'never'
select
    'fail' as severity,
    '0 < devices <= devices_in_cohort' as claim,
    count(*) as found
from report.time_to_first_widget
where not (0 < devices and devices <= devices_in_cohort)
union all
-- Harm: update census.first_widget_day set days = days + 29 where outcome = 'days'
select
    'fail' as severity,
    'days is 0 to 28 where outcome is days, and null elsewhere' as claim,
    count(*) as found
from report.time_to_first_widget
where not coalesce(outcome = 'days' and days between 0 and 28, false)
    and not (outcome <> 'days' and days is null)
