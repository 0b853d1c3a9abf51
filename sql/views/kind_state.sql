-- kind_state: the last decision about a kind.
--
-- Grain    one row per (app_number, surface, kind) with a decision
-- Reads    kind_act
-- Read by  the retirement report, and the statements for kinds, decisions and losses
create or replace view census.kind_state as
select distinct on (app_number, surface, kind)
    app_number,
    surface,
    kind,
    lifecycle,
    replaced_by,
    acted_at,
    devices_possible,
    figures
from census.kind_act
order by
    app_number,
    surface,
    kind,
    act_number desc;

comment on view census.kind_state is 'The last decision about a kind.';
comment on column census.kind_state.app_number is 'The app.';
comment on column census.kind_state.surface is 'widget, control, live_activity or today.';
comment on column census.kind_state.kind is 'The widget''s kind.';
comment on column census.kind_state.lifecycle is 'active, legacy or retired.';
comment on column census.kind_state.replaced_by is 'The kind that replaces it, if that act named one.';
comment on column census.kind_state.acted_at is 'When it was decided.';
comment on column census.kind_state.devices_possible is 'At most this many devices had it then.';
comment on column census.kind_state.figures is 'Its readiness then; null for acts from before readiness was recorded.';
