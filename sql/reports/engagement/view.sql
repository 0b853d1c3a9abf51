-- engagement: how many days devices with and without a widget are heard from, week after week. No proof of what a widget causes.
--
-- Grain    one row per (app_id, cohort_week, week, has_widget)
-- Units    distinct devices; active_days: days on which a device was heard from, added up over devices
-- Reads    engagement_day, closed_day
-- Caveat   people who place a widget differ from others anyway, so a difference is no proof that the widget causes it
-- Read by  `widget-census report engagement`
-- Empty    no device was first heard from at least two weeks ago; `widget-census nightly` closes days
-- Budget   12..48 blocks
create or replace view report.engagement as
select
    app.app_id,
    counted.cohort_week,
    counted.week,
    counted.has_widget,
    counted.devices,
    counted.devices_active,
    counted.active_days
from census.app
cross join lateral (
    select
        cohort.cohort_week,
        (week_end.day - 13 - cohort.cohort_week) / 7 as week,
        cohort.has_widget,
        cohort.devices,
        coalesce(heard.devices_active, 0) as devices_active,
        coalesce(heard.active_days, 0) as active_days
    from (
        select
            engagement_day.week as cohort_week,
            engagement_day.has_widget,
            sum(engagement_day.devices)::bigint as devices
        from census.engagement_day
        where engagement_day.app_number = app.app_number
        group by
            engagement_day.week,
            engagement_day.has_widget
        having sum(engagement_day.devices) > 0
    ) as cohort
    join census.closed_day as week_end
        on week_end.app_number = app.app_number
        and extract(isodow from week_end.day) = 7
        and week_end.day >= cohort.cohort_week + 13
    -- A week in which none was heard from has no row.
    left join census.engagement_day as heard
        on heard.app_number = app.app_number
        and heard.week = cohort.cohort_week
        and heard.has_widget = cohort.has_widget
        and heard.day = week_end.day
) as counted;

comment on view report.engagement is 'How many days devices with and without a widget are heard from, week after week. No proof of what a widget causes.';
comment on column report.engagement.app_id is 'Bundle id or package name.';
comment on column report.engagement.cohort_week is 'Monday of the week in which the devices were first heard from, in the app''s time zone.';
comment on column report.engagement.week is 'Weeks of seven days, counted for each device from the day on which it was first heard from: 0 is that day and the next six.';
comment on column report.engagement.has_widget is 'Whether the devices had a widget, certainly or possibly, at some time in their week 0.';
comment on column report.engagement.devices is 'Devices in this part of the cohort; the same in every week.';
comment on column report.engagement.devices_active is 'Of these, heard from in the week.';
comment on column report.engagement.active_days is 'Days of the week on which they were heard from, added up: 0 to 7 for each device.';
