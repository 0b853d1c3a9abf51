-- ghosts: how many widgets that the OS reported may have been stale, and what became of them.
--
-- Grain    one row per (app_id, day, surface, kind) with a suspect in the count at the day's end; closed days only
-- Units    placements
-- Reads    kind_day
-- Caveat   a level, not a flow: a suspect is in every day until it is settled; what is in neither outcome is not known yet
-- Read by  dashboards (quality); `widget-census report ghosts`
-- Order    app_id, day, surface, widgets_suspect desc, kind
-- Empty    on no closed day that matches was a widget suspect: that takes a new installation that reports
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

comment on view report.ghosts is 'How many widgets that the OS reported may have been stale, and what became of them.';
comment on column report.ghosts.app_id is 'Bundle id or package name.';
comment on column report.ghosts.day is 'The day at whose end was counted, in the app''s zone.';
comment on column report.ghosts.surface is 'widget, control, live_activity or today.';
comment on column report.ghosts.kind is 'The widget''s kind.';
comment on column report.ghosts.widgets_suspect is 'Placements that the OS reported and that might have been stale.';
comment on column report.ghosts.widgets_gone is 'Of these, proved later to have been gone: ghosts.';
comment on column report.ghosts.widgets_still_there is 'Of these, proved later to have been there.';
