-- Claims about widgets_per_device that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.widget_count_day set devices_certain = devices_certain + 1
select
    'fail' as severity,
    'each column adds up to devices_active of adoption_by_platform' as claim,
    count(*) as found
from (
    select
        app_id,
        day,
        platform,
        sum(devices_active) as devices_active
    from report.adoption_by_platform
    group by
        app_id,
        day,
        platform
) as adopted
full join (
    select
        app_id,
        day,
        platform,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible
    from report.widgets_per_device
    group by
        app_id,
        day,
        platform
) as counted
    on counted.app_id = adopted.app_id
    and counted.day = adopted.day
    and counted.platform = adopted.platform
where (counted.devices_certain, counted.devices_possible)
    is distinct from (adopted.devices_active, adopted.devices_active)
union all
-- Harm: update census.device_day set devices_with_widget = 0
select
    'fail' as severity,
    'devices with a widget are those of adoption_by_platform' as claim,
    count(*) as found
from (
    select
        app_id,
        day,
        platform,
        sum(devices_with_any_widget) as devices_certain,
        sum(devices_with_any_widget_possible) as devices_possible
    from report.adoption_by_platform
    group by
        app_id,
        day,
        platform
) as adopted
left join (
    select
        app_id,
        day,
        platform,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible
    from report.widgets_per_device
    where widgets <> '0'
    group by
        app_id,
        day,
        platform
) as counted
    on counted.app_id = adopted.app_id
    and counted.day = adopted.day
    and counted.platform = adopted.platform
where coalesce(counted.devices_certain, 0) <> adopted.devices_certain
    or coalesce(counted.devices_possible, 0) <> adopted.devices_possible
union all
-- Harm: update census.widget_count_day set devices_certain = devices_possible, devices_possible = devices_certain
select
    'fail' as severity,
    'at most as many devices certainly as possibly have a number of widgets or more' as claim,
    count(*) as found
from (
    select
        sum(devices_certain) over so_many as devices_certain,
        sum(devices_possible) over so_many as devices_possible
    from report.widgets_per_device
    window so_many as (
        partition by
            app_id,
            day,
            platform
        order by
            length(widgets) desc,
            widgets desc)
) as tail
where devices_certain > devices_possible
