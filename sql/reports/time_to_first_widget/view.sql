-- time_to_first_widget: how soon devices that were first heard from in one week had a widget.
--
-- Grain    one row per (app_id, platform, cohort_week, outcome, days)
-- Units    distinct devices
-- Reads    first_widget_day
-- Caveat   a device whose first list already had a widget counts as before: it may have had the app long before it was heard from
-- Read by  `widget-census report time_to_first_widget`
-- Empty    no device was first heard from in a week that has ended; `widget-census nightly` closes days
-- Budget   9..36 blocks
create or replace view report.time_to_first_widget as
select
    counted.app_id,
    counted.platform,
    counted.cohort_week,
    counted.outcome,
    counted.days,
    counted.devices,
    counted.devices_in_cohort
from (
    select
        app.app_id,
        first_widget_day.platform,
        first_widget_day.week as cohort_week,
        first_widget_day.outcome,
        case when first_widget_day.outcome = 'days' then first_widget_day.days::integer end as days,
        sum(first_widget_day.devices)::bigint as devices,
        sum(sum(first_widget_day.devices)) over (
            partition by
                app.app_id,
                app.app_number,
                first_widget_day.platform,
                first_widget_day.week)::bigint as devices_in_cohort
    from census.app
    join census.first_widget_day
        on first_widget_day.app_number = app.app_number
    group by
        app.app_id,
        app.app_number,
        first_widget_day.platform,
        first_widget_day.week,
        first_widget_day.outcome,
        first_widget_day.days
) as counted
-- All have moved to another outcome.
where counted.devices <> 0;

comment on view report.time_to_first_widget is 'How soon devices that were first heard from in one week had a widget.';
comment on column report.time_to_first_widget.app_id is 'Bundle id or package name.';
comment on column report.time_to_first_widget.platform is 'ios, ipados, macos, watchos, visionos or android, as last heard.';
comment on column report.time_to_first_widget.cohort_week is 'Monday of the week in which the devices were first heard from, in the app''s time zone.';
comment on column report.time_to_first_widget.outcome is 'before: the first list already had a widget; days: within 28 days; later: after more; never: none yet.';
comment on column report.time_to_first_widget.days is 'Where outcome is days: days from the first day heard from until they had a widget, 0 to 28.';
comment on column report.time_to_first_widget.devices is 'Devices with this outcome by the last week that ended.';
comment on column report.time_to_first_widget.devices_in_cohort is 'All devices of the cohort; the same in each of its rows.';
