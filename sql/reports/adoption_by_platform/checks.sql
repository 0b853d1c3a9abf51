-- Claims about adoption_by_platform that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.device_day set devices_with_widget_possible = devices_active + 1
select
    'fail' as severity,
    '0 <= devices_with_any_widget <= devices_with_any_widget_possible <= devices_active' as claim,
    count(*) as found
from report.adoption_by_platform
where not (
    0 <= devices_with_any_widget
    and devices_with_any_widget <= devices_with_any_widget_possible
    and devices_with_any_widget_possible <= devices_active)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'share and share_possible are their numbers / devices_active' as claim,
    count(*) as found
from report.adoption_by_platform
where share is distinct from round(devices_with_any_widget::numeric / devices_active, 4)
    or share_possible is distinct from round(devices_with_any_widget_possible::numeric / devices_active, 4)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'platforms add up to adoption' as claim,
    count(*) as found
from report.adoption
full join (
    select
        app_id,
        day,
        app_version,
        coalesce(os_version, '') as os_version,
        sum(devices_active) as devices_active,
        sum(devices_with_any_widget) as devices_with_any_widget,
        sum(devices_with_any_widget_possible) as devices_with_any_widget_possible
    from report.adoption_by_platform
    group by
        app_id,
        day,
        app_version,
        coalesce(os_version, '')
) as summed
    on summed.app_id = adoption.app_id
    and summed.day = adoption.day
    and summed.app_version = adoption.app_version
    and summed.os_version = coalesce(adoption.os_version, '')
where (adoption.devices_active, adoption.devices_with_any_widget, adoption.devices_with_any_widget_possible)
    is distinct from (summed.devices_active, summed.devices_with_any_widget, summed.devices_with_any_widget_possible)
