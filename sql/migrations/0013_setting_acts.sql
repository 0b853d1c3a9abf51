-- Who changed how an app is counted and judged, and what that did to the verdicts on its kinds: a limit can turn one.

create table census.setting_act (
    act_number bigint generated always as identity primary key,
    app_number integer not null references census.app,
    acted_at timestamptz not null default now(),
    actor text not null,
    reason text,
    changes json not null,
    verdicts json not null
);
create index setting_act_app on census.setting_act (app_number, act_number);
comment on table census.setting_act is 'Lookup, append-only. Changes of an app''s settings.';
comment on column census.setting_act.act_number is 'The order of the acts.';
comment on column census.setting_act.app_number is 'The app.';
comment on column census.setting_act.acted_at is 'When.';
comment on column census.setting_act.actor is 'Who did it.';
comment on column census.setting_act.reason is 'Why, in the words of the person; null: not said.';
comment on column census.setting_act.changes is 'An array of {setting, from, to}; the names are those of apps list.';
comment on column census.setting_act.verdicts is 'An array with an object for each kind that was legacy or retired: {surface, kind, devices_possible, devices_silent, before, after}; before and after are verdicts.';
