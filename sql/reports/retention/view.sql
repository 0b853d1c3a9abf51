-- retention: how many of the devices that placed a kind in one week still have it, week after week.
--
-- Grain    one row per (app_id, surface, kind, cohort_week, week)
-- Units    distinct devices; week 0 is the end of the week in which they placed the kind
-- Reads    cohort_day, closed_day
-- Caveat   a device that goes silent is no longer counted; one whose first list already had the kind is in no cohort
-- Read by  dashboards (installs); `widget-census report retention`
-- Empty    no device placed a matching kind in a week that has ended; `widget-census nightly` closes days
-- Budget   80..700 blocks
create or replace view report.retention as
select
    app.app_id,
    counted.surface,
    counted.kind,
    counted.cohort_week,
    counted.week,
    counted.devices_placed,
    counted.devices_still_certain,
    counted.devices_still_possible
from census.app
cross join lateral (
    select
        cohort.surface,
        cohort.kind,
        cohort.cohort_week,
        (week_end.day - 6 - cohort.cohort_week) / 7 as week,
        cohort.devices_placed,
        sum(coalesce(changed.devices_certain, 0)) over so_far::bigint as devices_still_certain,
        sum(coalesce(changed.devices_possible, 0)) over so_far::bigint as devices_still_possible
    from (
        select
            cohort_day.surface,
            cohort_day.kind,
            cohort_day.week as cohort_week,
            sum(cohort_day.devices_placed)::bigint as devices_placed
        from census.cohort_day
        where cohort_day.app_number = app.app_number
        group by
            cohort_day.surface,
            cohort_day.kind,
            cohort_day.week
        having sum(cohort_day.devices_placed) > 0
    ) as cohort
    join census.closed_day as week_end
        on week_end.app_number = app.app_number
        and extract(isodow from week_end.day) = 7
        and week_end.day > cohort.cohort_week
    -- A week without changes has no row.
    left join census.cohort_day as changed
        on changed.app_number = app.app_number
        and changed.surface = cohort.surface
        and changed.kind = cohort.kind
        and changed.week = cohort.cohort_week
        and changed.day = week_end.day
    window so_far as (
        partition by
            cohort.surface,
            cohort.kind,
            cohort.cohort_week
        order by week_end.day)
) as counted;

comment on view report.retention is 'How many of the devices that placed a kind in one week still have it, week after week.';
comment on column report.retention.app_id is 'Bundle id or package name.';
comment on column report.retention.surface is 'widget, control, live_activity or today.';
comment on column report.retention.kind is 'The widget''s kind.';
comment on column report.retention.cohort_week is 'Monday of the week in which the devices first placed the kind, in the app''s time zone.';
comment on column report.retention.week is 'Weeks since the cohort week: 0 is the end of that week itself.';
comment on column report.retention.devices_placed is 'Devices in the cohort; the same in every week.';
comment on column report.retention.devices_still_certain is 'Of these, at least this many had the kind when the week ended.';
comment on column report.retention.devices_still_possible is 'Of these, at most this many had it.';
