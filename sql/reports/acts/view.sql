-- acts: what people decided about kinds, and when.
--
-- Grain    one row per (app_id, act)
-- Units    devices: distinct devices as counted at that moment
-- Reads    kind_act
-- Caveat   it doesn't say who decided: `widget-census kinds show` does
-- Read by  dashboards (decision, installs, losses, quality); `widget-census report acts`
-- Empty    there is no decision about a matching kind; `widget-census kinds mark` makes one
-- Spare    reason, replaced_by
-- Budget   1..20 blocks
create or replace view report.acts as
select
    app.app_id,
    kind_act.act_number as act,
    (kind_act.acted_at at time zone app.zone)::date as day,
    kind_act.acted_at,
    kind_act.surface,
    kind_act.kind,
    kind_act.lifecycle,
    kind_act.replaced_by,
    kind_act.devices_certain,
    kind_act.devices_possible,
    kind_act.reason
from census.app
join census.kind_act
    on kind_act.app_number = app.app_number;

comment on view report.acts is 'What people decided about kinds, and when.';
comment on column report.acts.app_id is 'Bundle id or package name.';
comment on column report.acts.act is 'Number of the act, which is also the gallery policy''s version from then on; later acts have higher numbers.';
comment on column report.acts.day is 'Day of the decision, in the app''s time zone.';
comment on column report.acts.acted_at is 'When it was decided.';
comment on column report.acts.surface is 'widget, control, live_activity or today.';
comment on column report.acts.kind is 'The widget''s kind.';
comment on column report.acts.lifecycle is 'What the kind became: active, legacy or retired.';
comment on column report.acts.replaced_by is 'Kind that replaces it; null: none was named.';
comment on column report.acts.devices_certain is 'At least this many devices had it then.';
comment on column report.acts.devices_possible is 'At most this many devices had it then.';
comment on column report.acts.reason is 'Why, in the person''s words; null: no reason given.';
