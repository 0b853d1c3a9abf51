-- Claims about adoption that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.device_day set devices_with_widget = 1001
select
    'fail' as severity,
    'devices_with_any_widget <= devices_active' as claim,
    count(*) as found
from report.adoption
where not (0 <= devices_with_any_widget and devices_with_any_widget <= devices_active)
union all
-- Harm: update census.device_day set devices_with_widget_possible = devices_active + 1
select
    'fail' as severity,
    'devices_with_any_widget <= devices_with_any_widget_possible <= devices_active' as claim,
    count(*) as found
from report.adoption
where not (
    devices_with_any_widget <= devices_with_any_widget_possible and devices_with_any_widget_possible <= devices_active)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'share = devices_with_any_widget / devices_active' as claim,
    count(*) as found
from report.adoption
where share is distinct from round(devices_with_any_widget::numeric / devices_active, 4)
union all
-- Harm: update census.device_day set devices_active = case os_version when '14.0' then -1 else 1000 end
select
    'fail' as severity,
    'devices add up to devices_active of coverage' as claim,
    count(*) as found
from report.coverage
left join (
    select
        app_id,
        day,
        sum(devices_active) as devices_active
    from report.adoption
    group by
        app_id,
        day
) as adopted
    on adopted.app_id = coverage.app_id
    and adopted.day = coverage.day
where coverage.devices_active <> coalesce(adopted.devices_active, 0)
