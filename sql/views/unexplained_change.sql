-- unexplained_change: kinds whose recorded changes do not add up to the change in certain counts between closed days.
--
-- Grain    one row per (app_number, day, surface, kind) that does not add up; no rows if the database is sound
-- Units    placements and devices: added minus removed, minus the difference from the day before
-- Reads    change_day, move_day, kind_day, closed_day
-- Read by  the checks of changes and of changes_by_version
create or replace view census.unexplained_change as
select
    step.app_number,
    step.day,
    step.surface,
    step.kind,
    sum(step.widgets)::bigint as widgets,
    sum(step.devices)::bigint as devices
from (
    select
        change_day.app_number,
        change_day.day,
        change_day.surface,
        change_day.kind,
        change_day.widgets_added - change_day.widgets_removed as widgets,
        0 as devices
    from census.change_day
    union all
    select
        move_day.app_number,
        move_day.day,
        move_day.surface,
        move_day.kind,
        0,
        move_day.devices_added - move_day.devices_removed
    from census.move_day
    union all
    select
        kind_day.app_number,
        kind_day.day,
        kind_day.surface,
        kind_day.kind,
        -kind_day.widgets_certain,
        -kind_day.devices_certain
    from census.kind_day
    union all
    select
        kind_day.app_number,
        kind_day.day + 1,
        kind_day.surface,
        kind_day.kind,
        kind_day.widgets_certain,
        kind_day.devices_certain
    from census.kind_day
) as step
join census.closed_day as today
    on today.app_number = step.app_number
    and today.day = step.day
join census.closed_day as yesterday
    on yesterday.app_number = step.app_number
    and yesterday.day = step.day - 1
group by
    step.app_number,
    step.day,
    step.surface,
    step.kind
having sum(step.widgets) <> 0
    or sum(step.devices) <> 0;

comment on view census.unexplained_change is 'Kinds whose recorded changes do not add up to the change in certain counts between closed days.';
comment on column census.unexplained_change.app_number is 'The app.';
comment on column census.unexplained_change.day is 'The later of the two days.';
comment on column census.unexplained_change.surface is 'widget, control, live_activity or today.';
comment on column census.unexplained_change.kind is 'The widget''s kind.';
comment on column census.unexplained_change.widgets is 'Placements added minus removed, minus the growth of the certain ones.';
comment on column census.unexplained_change.devices is 'The same for devices.';
