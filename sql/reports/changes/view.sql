-- changes: which widgets were added and removed each day, and why.
--
-- Grain    one row per (app_id, day, surface, kind, family, cause); closed days only
-- Units    placements that became certain, or stopped being certain
-- Reads    change_day
-- Caveat   gross, not net: a widget added and removed on one day is in both columns; one that is only possible is in neither
-- Read by  dashboards (installs, losses); `widget-census report changes`
-- Order    app_id, day, surface, kind, family nulls first, cause
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   90..380 blocks
create or replace view report.changes as
select
    app.app_id,
    change_day.day,
    change_day.surface,
    change_day.kind,
    nullif(change_day.family, '') as family,
    change_day.cause,
    change_day.widgets_added,
    change_day.widgets_removed
from census.app
join census.change_day
    on change_day.app_number = app.app_number
where change_day.widgets_added > 0
    or change_day.widgets_removed > 0;

comment on view report.changes is 'Which widgets were added and removed each day, and why.';
comment on column report.changes.app_id is 'Bundle id or package name.';
comment on column report.changes.day is 'Day in the app''s time zone.';
comment on column report.changes.surface is 'widget, control, live_activity or today.';
comment on column report.changes.kind is 'The widget''s kind.';
comment on column report.changes.family is 'systemSmall and so on; null if the app does not send it.';
comment on column report.changes.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
comment on column report.changes.widgets_added is 'Placements that became certain.';
comment on column report.changes.widgets_removed is 'Placements that stopped being certain.';
