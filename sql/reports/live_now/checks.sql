-- Claims about live_now that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.kind_entry set devices_possible = -9000
select
    'fail' as severity,
    'devices_certain <= devices_expected <= devices_possible' as claim,
    count(*) as found
from report.live_now
where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
union all
-- Harm: update census.kind_entry set widgets_possible = -9000
select
    'fail' as severity,
    '0 <= widgets_certain <= widgets_possible' as claim,
    count(*) as found
from report.live_now
where not (0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
union all
-- Harm: update census.kind_entry set widgets_certain = -9
select
    'fail' as severity,
    'every device has a widget' as claim,
    count(*) as found
from report.live_now
where devices_certain > widgets_certain
    or devices_possible > widgets_possible
union all
-- Harm: delete from census.reconciled
select
    'fail' as severity,
    'as_of is known' as claim,
    count(*) as found
from report.live_now
where as_of is null
union all
-- Harm: update census.reconciled set as_of = as_of - interval '3 days'
select
    'warn' as severity,
    'the last reconciled event is at most two days old' as claim,
    count(*) as found
from (
    select
        app_id,
        max(as_of) as as_of
    from report.live_now
    group by app_id
) as newest
where as_of < now() - interval '2 days'
