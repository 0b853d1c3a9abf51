-- ghosts: how many reported widgets might have been stale each day, and how many of those proved to be gone.
--
-- Grain    one row per (app_id, day, surface, kind) with a suspect at the end of the day; closed days only
-- Units    placements
-- Reads    kind_day
-- Caveat   a level, not a flow: a suspect is in every day until it is settled; the rest has no known outcome yet
-- Read by  dashboards (quality); `widget-census report ghosts`
-- Order    app_id, day, surface, widgets_suspect desc, kind
-- Empty    no matching closed day had a suspect widget; suspects appear when a new installation reports
-- Budget   60..260 blocks
create or replace view report.ghosts as
select
    app.app_id,
    kind_day.day,
    kind_day.surface,
    kind_day.kind,
    kind_day.widgets_suspect,
    kind_day.widgets_gone,
    kind_day.widgets_still_there
from census.app
join census.kind_day
    on kind_day.app_number = app.app_number
where kind_day.widgets_suspect > 0;

comment on view report.ghosts is 'How many reported widgets might have been stale each day, and how many of those proved to be gone.';
comment on column report.ghosts.app_id is 'Bundle id or package name.';
comment on column report.ghosts.day is 'Day at whose end we counted, in the app''s time zone.';
comment on column report.ghosts.surface is 'widget, control, live_activity or today.';
comment on column report.ghosts.kind is 'The widget''s kind.';
comment on column report.ghosts.widgets_suspect is 'Placements that the OS listed and that might have been stale: suspects.';
comment on column report.ghosts.widgets_gone is 'Suspects that later proved to be gone: ghosts.';
comment on column report.ghosts.widgets_still_there is 'Suspects that later proved to have been there.';
