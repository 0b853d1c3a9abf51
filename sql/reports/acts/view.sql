-- acts: what people decided about kinds, and when.
--
-- Grain    one row per (app_id, act)
-- Units    devices: distinct devices as they were counted at that moment
-- Reads    kind_act
-- Caveat   who decided is not in it: `widget-census kinds show` says
-- Read by  dashboards (decision, installs, losses, quality); `widget-census report acts`
-- Empty    nobody has decided about a kind that matches; `widget-census kinds mark` does
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
comment on column report.acts.act is 'Its number, which is the version of the gallery policy from then on; later ones are higher.';
comment on column report.acts.day is 'In the app''s zone.';
comment on column report.acts.acted_at is 'When.';
comment on column report.acts.surface is 'widget, control, live_activity or today.';
comment on column report.acts.kind is 'The widget''s kind.';
comment on column report.acts.lifecycle is 'What the kind was from then on: active, legacy or retired.';
comment on column report.acts.replaced_by is 'The kind that people are to use instead; null: none was named.';
comment on column report.acts.devices_certain is 'Devices that certainly held it then.';
comment on column report.acts.devices_possible is 'Devices that certainly or possibly held it then.';
comment on column report.acts.reason is 'Why, in the words of the person; null: not said.';
