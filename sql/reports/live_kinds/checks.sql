-- Claims about live_kinds that hold on any database, besides those made from its grain; found: violations.
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
    '0 <= widgets_certain <= widgets_possible' as claim,
    count(*) as found
from report.live_kinds
where not (0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
union all
-- Harm: update census.kind_day set widgets_certain = 1
select
    'fail' as severity,
    'every device has a widget' as claim,
    count(*) as found
from report.live_kinds
where devices_certain > widgets_certain
    or devices_possible > widgets_possible
union all
-- Harm: update census.kind_day set widgets_reported = 1
select
    'fail' as severity,
    'every device that reported a kind reported a widget of it' as claim,
    count(*) as found
from report.live_kinds
where not (0 <= devices_reported and devices_reported <= widgets_reported)
union all
-- Harm: update census.kind_day set devices_possible_first_known = 1
select
    'fail' as severity,
    'devices_certain_first_known <= devices_possible_first_known' as claim,
    count(*) as found
from report.live_kinds
where not (
    0 <= devices_certain_first_known
    and devices_certain_first_known <= devices_possible_first_known)
