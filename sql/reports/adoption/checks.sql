-- What holds of adoption on any database; found: violations.
select
    'fail' as severity,
    'one row per app_id, day, app_version, os_version' as claim,
    count(*) as found
from (
    select
        app_id,
        day,
        app_version,
        os_version
    from report.adoption
    group by
        app_id,
        day,
        app_version,
        os_version
    having count(*) > 1
) as repeated
union all
select
    'fail' as severity,
    'only closed days are counted' as claim,
    count(*) as found
from report.adoption
join census.app
    on app.app_id = adoption.app_id
where not exists (
    select
    from census.closed_day
    where closed_day.app_number = app.app_number
        and closed_day.day = adoption.day)
union all
select
    'fail' as severity,
    'devices_with_any_widget <= devices_active' as claim,
    count(*) as found
from report.adoption
where not (0 <= devices_with_any_widget and devices_with_any_widget <= devices_active)
union all
select
    'fail' as severity,
    'share = devices_with_any_widget / devices_active' as claim,
    count(*) as found
from report.adoption
where share is distinct from round(devices_with_any_widget::numeric / devices_active, 4)
union all
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
