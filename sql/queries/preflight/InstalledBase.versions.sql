-- The devices of app $1 heard from within a year, by version of the app, active ones and silent ones. Of an app with widgets only
-- a list of widgets counts as a report, and none of two phones with one id.
select
    device.app_version,
    count(*) filter (where device.silent_at > now()) as active,
    count(*) filter (
        where device.silent_at > now()
            and not device.is_cloned
            and case
                when app.has_widgets and device.last_report_at is not null then device.widgets_until
                else device.reporting_until
            end > now()) as reporting,
    count(*) filter (where device.silent_at <= now()) as silent
from census.device
cross join (
    select exists (
        select 1
        from census.kind_day
        where app_number = $1
            and surface = 'widget') as has_widgets
) as app
where device.app_number = $1
    and device.last_heard_at > now() - interval '1 year'
group by device.app_version
order by device.app_version collate "C"
