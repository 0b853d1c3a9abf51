-- Claims about engagement that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.engagement_day set active_days = 8 * devices_active + 1
select
    'fail' as severity,
    '0 <= devices_active <= devices, and one to seven active_days for each active device' as claim,
    count(*) as found
from report.engagement
where not (
    0 <= devices_active
    and devices_active <= devices
    and devices_active <= active_days
    and active_days <= 7 * devices_active)
union all
-- Harm: update census.engagement_day set devices = devices + 1 where devices > 0
select
    'fail' as severity,
    'the devices of a cohort are those of time_to_first_widget' as claim,
    count(*) as found
from (
    select
        app_id,
        cohort_week,
        sum(devices) as devices
    from report.engagement
    where week = 0
    group by
        app_id,
        cohort_week
) as heard
left join (
    select
        app_id,
        cohort_week,
        sum(devices) as devices
    from report.time_to_first_widget
    group by
        app_id,
        cohort_week
) as first_heard
    using (app_id, cohort_week)
where heard.devices is distinct from first_heard.devices
