-- What holds of live_kinds on any database, beside what its grain says; found: violations.
-- Harm: update census.kind_day_unsettled set devices = 1000
select
    'fail' as severity,
    'devices_certain <= devices_expected <= devices_possible' as claim,
    count(*) as found
from report.live_kinds
where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
union all
-- Harm: update census.kind_day set widgets_possible = 1
select
    'fail' as severity,
    'widgets_certain <= widgets_possible, and none is negative' as claim,
    count(*) as found
from report.live_kinds
where not (0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
union all
-- Harm: update census.kind_day set widgets_certain = 1
select
    'fail' as severity,
    'every device holds a widget' as claim,
    count(*) as found
from report.live_kinds
where devices_certain > widgets_certain
    or devices_possible > widgets_possible
union all
-- Harm: update census.kind_day set widgets_reported = 1
select
    'fail' as severity,
    'every device that reports a kind reports a widget of it' as claim,
    count(*) as found
from report.live_kinds
where not (0 <= devices_reported and devices_reported <= widgets_reported)
union all
-- Harm: update census.kind_day set devices_possible_first_known = 1
select
    'fail' as severity,
    'what was first known is ordered, too' as claim,
    count(*) as found
from report.live_kinds
where not (
    0 <= devices_certain_first_known
    and devices_certain_first_known <= devices_possible_first_known)
