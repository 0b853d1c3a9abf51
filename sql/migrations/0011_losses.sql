-- Losses by updates (docs/decision.md): pairs of reports as they came, the watches kept over them, and what people did about
-- the incidents.

create table census.pair_entry (
    entry_number bigint generated always as identity primary key,
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    from_version text not null,
    to_version text not null,
    is_other_os boolean not null,
    pairs bigint not null,
    lost bigint not null,
    exposed_seconds bigint not null
);
create index pair_entry_app on census.pair_entry (app_number, day);
comment on table census.pair_entry is 'Local queue. Pairs of successive successful reports that no night has taken yet, by the day of the second one.';
comment on column census.pair_entry.entry_number is 'Tells entries apart; no order.';
comment on column census.pair_entry.app_number is 'The app.';
comment on column census.pair_entry.day is 'The day of the second report, in the app''s zone.';
comment on column census.pair_entry.surface is 'widget, control, live_activity or today.';
comment on column census.pair_entry.kind is 'A kind that was certain after the first report.';
comment on column census.pair_entry.from_version is 'The app''s version at the first report.';
comment on column census.pair_entry.to_version is 'The app''s version at the second report; the same where there was no update.';
comment on column census.pair_entry.is_other_os is 'Whether the OS was updated between them.';
comment on column census.pair_entry.pairs is 'How many pairs.';
comment on column census.pair_entry.lost is 'Those whose second report lists nothing of the kind.';
comment on column census.pair_entry.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least and 14 days at most.';

create table census.pair_night (
    app_number integer not null,
    surface text not null,
    kind text not null,
    to_version text not null,
    from_version text not null,
    taken_at timestamptz not null,
    day date not null,
    is_other_os boolean not null,
    pairs bigint not null,
    lost bigint not null,
    exposed_seconds bigint not null,
    primary key (app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os),
    constraint pair_night_counts check (0 <= lost and lost <= pairs and pairs > 0 and exposed_seconds > 0)
);
create index pair_night_taken on census.pair_night (app_number, taken_at);
create index pair_night_day on census.pair_night (app_number, day);
create index pair_night_ordinary on census.pair_night (app_number, surface, kind, day)
where from_version = to_version;
comment on table census.pair_night is 'Local aggregate, append-only. Pairs as nights took them: what the evidence on losses is computed from. Never restated.';
comment on column census.pair_night.app_number is 'The app.';
comment on column census.pair_night.surface is 'widget, control, live_activity or today.';
comment on column census.pair_night.kind is 'A kind that was certain after the first report.';
comment on column census.pair_night.to_version is 'The app''s version at the second report.';
comment on column census.pair_night.from_version is 'The app''s version at the first report.';
comment on column census.pair_night.taken_at is 'The night that took them.';
comment on column census.pair_night.day is 'The day of the second report, in the app''s zone.';
comment on column census.pair_night.is_other_os is 'Whether the OS was updated between them.';
comment on column census.pair_night.pairs is 'How many pairs.';
comment on column census.pair_night.lost is 'Those whose second report lists nothing of the kind.';
comment on column census.pair_night.exposed_seconds is 'Time between the reports, summed; each gap counts as an hour at least and 14 days at most.';

create table census.loss_version (
    app_number integer not null references census.app,
    to_version text not null,
    first_day date not null,
    place integer not null,
    kinds integer not null,
    false_alarms double precision not null,
    primary key (app_number, to_version)
);
comment on table census.loss_version is 'Lookup, append-only. Versions to which devices updated, with the share of the year''s alarm budget that each got when it first appeared.';
comment on column census.loss_version.app_number is 'The app.';
comment on column census.loss_version.to_version is 'The version.';
comment on column census.loss_version.first_day is 'The day of the first update to it, in the app''s zone.';
comment on column census.loss_version.place is 'How many versions of that year had appeared before.';
comment on column census.loss_version.kinds is 'Kinds with 20 holders and more when it appeared; they share what it got.';
comment on column census.loss_version.false_alarms is 'The app''s budget then: expected false incidents a year.';

create table census.loss_watch (
    app_number integer not null,
    surface text not null,
    kind text not null,
    to_version text not null,
    chance double precision not null,
    tolerance double precision not null,
    bound double precision,
    upgraders bigint not null default 0,
    lost bigint not null default 0,
    excused bigint not null default 0,
    exposed_seconds bigint not null default 0,
    others bigint not null default 0,
    others_lost bigint not null default 0,
    others_seconds bigint not null default 0,
    evidence double precision not null default 1,
    z double precision,
    smallest_seen double precision,
    devices_at_risk bigint not null default 0,
    state text not null default 'watched',
    opened_on date,
    judged_on date,
    primary key (app_number, surface, kind, to_version),
    foreign key (app_number, to_version) references census.loss_version,
    constraint loss_watch_state_is_known check (state in ('watched', 'open', 'acknowledged', 'closed')),
    constraint loss_watch_counts check (
        0 <= excused and excused <= lost and lost <= upgraders and 0 <= others_lost and others_lost <= others)
);
create index loss_watch_open on census.loss_watch (app_number)
where state <> 'watched';
comment on table census.loss_watch is 'Local aggregate. For each kind and target version the question whether the update takes it away, and what the pairs say.';
comment on column census.loss_watch.app_number is 'The app.';
comment on column census.loss_watch.surface is 'widget, control, live_activity or today.';
comment on column census.loss_watch.kind is 'The widget''s kind.';
comment on column census.loss_watch.to_version is 'The version that was updated to.';
comment on column census.loss_watch.chance is 'How likely a false alarm may be; an incident opens at the evidence 2 / chance. Fixed beforehand.';
comment on column census.loss_watch.tolerance is 'How many times as fast as others those who update may lose it. Fixed beforehand.';
comment on column census.loss_watch.bound is 'How many others lose it in a day at most, by the pairs before the first update; null: there were none. Fixed beforehand.';
comment on column census.loss_watch.upgraders is 'Devices that held it for certain, updated and reported again.';
comment on column census.loss_watch.lost is 'Those that then listed nothing of it.';
comment on column census.loss_watch.excused is 'Those of the lost ones that a person had accepted beforehand.';
comment on column census.loss_watch.exposed_seconds is 'Time between the reports of those who updated, summed.';
comment on column census.loss_watch.others is 'Pairs of reports without an update, of the days on which some updated.';
comment on column census.loss_watch.others_lost is 'Those of the others whose second report lists nothing of it.';
comment on column census.loss_watch.others_seconds is 'Time between the reports of the others, summed.';
comment on column census.loss_watch.evidence is 'How much speaks for a loss: an e-value, 1 to begin with.';
comment on column census.loss_watch.z is 'Standard deviations between the lost and what the others'' rate lets expect; description only.';
comment on column census.loss_watch.smallest_seen is 'The smallest share of the updated devices whose loss these numbers would have shown; null: none.';
comment on column census.loss_watch.devices_at_risk is 'Devices that held it for certain on an older version when the last closed day ended.';
comment on column census.loss_watch.state is 'watched, open, acknowledged or closed.';
comment on column census.loss_watch.opened_on is 'The day whose pairs were enough for an incident; null: none was.';
comment on column census.loss_watch.judged_on is 'The last day whose pairs are in it.';

create table census.loss_origin (
    app_number integer not null,
    surface text not null,
    kind text not null,
    to_version text not null,
    from_version text not null,
    upgraders bigint not null,
    lost bigint not null,
    exposed_seconds bigint not null,
    others bigint not null,
    others_lost bigint not null,
    others_seconds bigint not null,
    evidence double precision not null,
    z double precision,
    devices_at_risk bigint not null,
    primary key (app_number, surface, kind, to_version, from_version),
    foreign key (app_number, surface, kind, to_version) references census.loss_watch
);
comment on table census.loss_origin is 'Local aggregate. The same for each version that devices came from.';
comment on column census.loss_origin.app_number is 'The app.';
comment on column census.loss_origin.surface is 'widget, control, live_activity or today.';
comment on column census.loss_origin.kind is 'The widget''s kind.';
comment on column census.loss_origin.to_version is 'The version that was updated to.';
comment on column census.loss_origin.from_version is 'The version before.';
comment on column census.loss_origin.upgraders is 'Devices that held it for certain, updated and reported again.';
comment on column census.loss_origin.lost is 'Those that then listed nothing of it.';
comment on column census.loss_origin.exposed_seconds is 'Time between the reports of those who updated, summed.';
comment on column census.loss_origin.others is 'Pairs of reports without an update, of the days on which some updated.';
comment on column census.loss_origin.others_lost is 'Those of the others whose second report lists nothing of it.';
comment on column census.loss_origin.others_seconds is 'Time between the reports of the others, summed.';
comment on column census.loss_origin.evidence is 'How much speaks for a loss from this version.';
comment on column census.loss_origin.z is 'Standard deviations between the lost and what the others'' rate lets expect; description only.';
comment on column census.loss_origin.devices_at_risk is 'Devices that held it for certain on this version when the last closed day ended.';

create table census.loss_act (
    act_number bigint generated always as identity primary key,
    app_number integer not null,
    surface text not null,
    kind text not null,
    to_version text not null,
    state text not null,
    acted_at timestamptz not null default now(),
    actor text not null,
    reason text,
    figures json not null,
    foreign key (app_number, surface, kind, to_version) references census.loss_watch,
    constraint loss_act_state_is_known check (state in ('open', 'acknowledged', 'closed'))
);
create index loss_act_watch on census.loss_act (app_number, surface, kind, to_version);
comment on table census.loss_act is 'Lookup, append-only. How incidents were opened, acknowledged and closed.';
comment on column census.loss_act.act_number is 'The order of the acts.';
comment on column census.loss_act.app_number is 'The app.';
comment on column census.loss_act.surface is 'widget, control, live_activity or today.';
comment on column census.loss_act.kind is 'The widget''s kind.';
comment on column census.loss_act.to_version is 'The version that was updated to.';
comment on column census.loss_act.state is 'What the incident became: open, acknowledged or closed.';
comment on column census.loss_act.acted_at is 'When.';
comment on column census.loss_act.actor is 'Who did it; the night opens incidents.';
comment on column census.loss_act.reason is 'Why, in the words of the person; null: not said.';
comment on column census.loss_act.figures is 'What the pairs said then, with the names of loss_watch''s columns.';

alter table census.app
    add column false_alarms double precision not null default 0.01,
    add constraint app_false_alarms_are_a_budget check (false_alarms between 0.000001 and 10);
comment on column census.app.false_alarms is 'How many false incidents of mass loss are accepted in a year.';
