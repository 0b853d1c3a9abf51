-- How long people keep a kind, how soon they place a first widget, and whether they come back
-- (docs/decisions/0064-cohorts-of-devices.md).
--
-- The next night recounts every app's ledger, and folds each device from its first observation that is kept: until then no end
-- is stored.

alter table census.device_cohort add column ended_at timestamptz;
alter table census.device_cohort add column ended_cause text;
alter table census.device_cohort add constraint device_cohort_end_has_a_cause check ((ended_at is null) = (ended_cause is null));
comment on column census.device_cohort.ended_at is 'From when on it held none of the kind for the first time, neither certainly nor possibly; null: it has held some ever since, or is silent.';
comment on column census.device_cohort.ended_cause is 'Why: removed, configured, reinstalled, upgrade_loss or forgotten; silent: it went silent, and returned with the kind or without.';

create table census.lifetime_day (
    app_number integer not null,
    day date not null,
    surface text collate "C" not null,
    kind text collate "C" not null,
    week date not null,
    days bigint not null,
    cause text collate "C" not null,
    devices bigint not null,
    primary key (app_number, surface, kind, week, day, days, cause),
    constraint lifetime_day_ends_a_week check (extract(isodow from day) = 7 and extract(isodow from week) = 1 and week < day)
);
comment on table census.lifetime_day is 'Local aggregate. Devices whose first time with a kind ended in each week that has ended, or that were lost sight of in it.';
comment on column census.lifetime_day.app_number is 'The app.';
comment on column census.lifetime_day.day is 'The Sunday that ends the week, in the app''s zone.';
comment on column census.lifetime_day.surface is 'widget, control, live_activity or today.';
comment on column census.lifetime_day.kind is 'The widget''s kind.';
comment on column census.lifetime_day.week is 'The Monday of the week in which the devices placed the kind for the first time.';
comment on column census.lifetime_day.days is 'Days from placing the kind until the end; from 28 on rounded down to whole weeks.';
comment on column census.lifetime_day.cause is 'removed, configured, reinstalled or upgrade_loss; silent or forgotten: the device was lost sight of while it had the kind.';
comment on column census.lifetime_day.devices is 'Distinct devices.';

create table census.lifetime_entry (
    entry_number bigint generated always as identity primary key,
    like census.lifetime_day including comments
);
comment on table census.lifetime_entry is 'Local queue. Net changes of lifetime_day: what in this week is more or less.';
comment on column census.lifetime_entry.entry_number is 'Tells entries apart; no order.';

create table census.first_widget_day (
    app_number integer not null,
    day date not null,
    platform text collate "C" not null,
    week date not null,
    outcome text collate "C" not null,
    days bigint not null,
    devices bigint not null,
    primary key (app_number, week, platform, day, outcome, days),
    constraint first_widget_day_ends_a_week check (extract(isodow from day) = 7 and extract(isodow from week) = 1 and week < day),
    constraint first_widget_day_outcome_is_known check (outcome in ('before', 'days', 'later', 'never'))
);
comment on table census.first_widget_day is 'Local aggregate. What each week that has ended changed of the devices first heard from in one week, by how soon they held a widget; their number is the sum of all weeks.';
comment on column census.first_widget_day.app_number is 'The app.';
comment on column census.first_widget_day.day is 'The Sunday that ends the week, in the app''s zone.';
comment on column census.first_widget_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.first_widget_day.week is 'The Monday of the week in which the devices were first heard from.';
comment on column census.first_widget_day.outcome is 'before (the first list already had a widget), days, later, or never (none yet).';
comment on column census.first_widget_day.days is 'If the outcome is days: from the first day heard from until a widget was first held, 0 to 28; otherwise 0.';
comment on column census.first_widget_day.devices is 'By how many distinct devices their number changed in the week; negative where they moved to another outcome.';

create table census.first_widget_entry (
    entry_number bigint generated always as identity primary key,
    like census.first_widget_day including comments
);
comment on table census.first_widget_entry is 'Local queue. Net changes of first_widget_day: what in this week is more or less.';
comment on column census.first_widget_entry.entry_number is 'Tells entries apart; no order.';

create table census.engagement_day (
    app_number integer not null,
    day date not null,
    week date not null,
    has_widget boolean not null,
    devices bigint not null,
    devices_active bigint not null,
    active_days bigint not null,
    primary key (app_number, week, has_widget, day),
    constraint engagement_day_ends_a_week check (extract(isodow from day) = 7 and extract(isodow from week) = 1 and week < day)
);
comment on table census.engagement_day is 'Local aggregate. On how many days devices first heard from in one week were heard from, by the weeks since each was.';
comment on column census.engagement_day.app_number is 'The app.';
comment on column census.engagement_day.day is 'The Sunday by which that week has ended for all of them, in the app''s zone: 13 days after the Monday for the first seven days of each.';
comment on column census.engagement_day.week is 'The Monday of the week in which the devices were first heard from.';
comment on column census.engagement_day.has_widget is 'Whether they held a widget, certainly or possibly, at some time in their first seven days.';
comment on column census.engagement_day.devices is 'In the first row of a cohort: how many they are; otherwise 0.';
comment on column census.engagement_day.devices_active is 'Of these, heard from in that week.';
comment on column census.engagement_day.active_days is 'The days on which they were, added up.';

create table census.engagement_entry (
    entry_number bigint generated always as identity primary key,
    like census.engagement_day including comments
);
comment on table census.engagement_entry is 'Local queue. Net changes of engagement_day: what in this week is more or less.';
comment on column census.engagement_entry.entry_number is 'Tells entries apart; no order.';

insert into census.app_night (app_number, is_doubted)
select app_number, true from census.app
on conflict (app_number) do update set is_doubted = true;

insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
where folded_through is not null;
