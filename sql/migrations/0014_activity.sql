-- What analysts ask beside the installed base: which release took what, what is used, who is active, how long a kind is
-- kept, and who holds two kinds (docs/decisions/0045-activity-and-cohorts.md).
--
-- The next night recounts every app's ledger, and folds each device from its first observation that is kept: what is counted
-- here was not kept before.

-- What devices did, day by day.

create table census.device_use (
    device_id uuid not null,
    app_number integer not null,
    month date not null,
    use text not null,
    surface text not null,
    kind text not null,
    days smallint[] not null,
    events bigint[] not null,
    primary key (device_id, month, use, surface, kind),
    constraint device_use_month_begins check (extract(day from month) = 1),
    constraint device_use_days_have_events check (cardinality(days) = cardinality(events) and cardinality(days) > 0),
    constraint device_use_is_known check (use in ('heard', 'opened', 'configured', 'rendered'))
);
comment on table census.device_use is 'Device. On which days of a month a device was heard from, and used widgets of a kind.';
comment on column census.device_use.device_id is 'Keyed hash of the app and the device id.';
comment on column census.device_use.app_number is 'The app.';
comment on column census.device_use.month is 'Its first day.';
comment on column census.device_use.use is 'heard (any event came), opened, configured or rendered.';
comment on column census.device_use.surface is 'widget, control, live_activity or today; empty for heard.';
comment on column census.device_use.kind is 'The widget''s kind; empty for heard.';
comment on column census.device_use.days is 'Days of the month, from 1 on, in the zone by which the device is counted.';
comment on column census.device_use.events is 'How many events there were on each of the days.';

create table census.device_cohort (
    device_id uuid not null,
    app_number integer not null,
    surface text not null,
    kind text not null,
    held_from timestamptz not null,
    week date,
    primary key (device_id, surface, kind),
    constraint device_cohort_week_begins check (extract(isodow from week) = 1)
);
comment on table census.device_cohort is 'Device. When each device placed a kind for the first time, and when the first list of each surface came.';
comment on column census.device_cohort.device_id is 'Keyed hash of the app and the device id.';
comment on column census.device_cohort.app_number is 'The app.';
comment on column census.device_cohort.surface is 'widget, control, live_activity or today.';
comment on column census.device_cohort.kind is 'The widget''s kind; empty: the surface, whose first list this is about.';
comment on column census.device_cohort.held_from is 'When it certainly or possibly held the kind for the first time, or when the first list of the surface came; on the server''s clock.';
comment on column census.device_cohort.week is 'The Monday of that week; null: nobody knows, because the kind was in the first list of its surface, or used before.';

alter table census.device add column legacy_kinds integer not null default 0;
comment on column census.device.legacy_kinds is 'How many kinds that were ever marked legacy, in the order in which they first were, its overlaps are counted for.';

-- What came and went, by version.

create table census.move_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    cause text not null,
    app_version text not null,
    os_version text not null,
    platform text not null,
    widgets_added bigint not null,
    widgets_removed bigint not null,
    devices_added bigint not null,
    devices_removed bigint not null,
    primary key (app_number, day, surface, kind, cause, app_version, os_version, platform),
    constraint move_day_counts check (
        widgets_added >= 0 and widgets_removed >= 0 and devices_added >= 0 and devices_removed >= 0)
);
comment on table census.move_day is 'Local aggregate. Certain placements that came and went on each closed day, and devices that came to hold a kind or ceased to, by what they ran then.';
comment on column census.move_day.app_number is 'The app.';
comment on column census.move_day.day is 'In the app''s zone.';
comment on column census.move_day.surface is 'widget, control, live_activity or today.';
comment on column census.move_day.kind is 'The widget''s kind.';
comment on column census.move_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; of a device the first by name where placements differ.';
comment on column census.move_day.app_version is 'What the device ran from then on, or ran last; empty when nothing tells.';
comment on column census.move_day.os_version is 'Major and minor; empty when not sent.';
comment on column census.move_day.platform is 'ios, ipados, macos, watchos, visionos or android; empty when nothing tells.';
comment on column census.move_day.widgets_added is 'Placements that became certain.';
comment on column census.move_day.widgets_removed is 'Placements that were certain and no longer were.';
comment on column census.move_day.devices_added is 'Devices on which a placement became certain, and none was.';
comment on column census.move_day.devices_removed is 'Devices on which the last certain placement ceased to be.';

create table census.move_entry (
    entry_number bigint generated always as identity primary key,
    like census.move_day including comments
);
comment on table census.move_entry is 'Local queue. Net changes of move_day: what on this day is more or less.';
comment on column census.move_entry.entry_number is 'Tells entries apart; no order.';

delete from census.holder_day;
delete from census.holder_entry;
comment on table census.holder_day is 'Local. Empty and no longer used: move_day has what it had.';
comment on table census.holder_entry is 'Local. Empty and no longer used: move_entry has what it had.';

-- What is used.

create table census.use_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    use text not null,
    devices bigint not null,
    events bigint not null,
    primary key (app_number, day, surface, kind, use),
    constraint use_day_counts check (0 <= devices and devices <= events)
);
comment on table census.use_day is 'Local aggregate. How many devices used widgets of a kind on each closed day, and how often.';
comment on column census.use_day.app_number is 'The app.';
comment on column census.use_day.day is 'In the app''s zone.';
comment on column census.use_day.surface is 'widget, control, live_activity or today.';
comment on column census.use_day.kind is 'The widget''s kind.';
comment on column census.use_day.use is 'opened, configured or rendered.';
comment on column census.use_day.devices is 'Distinct devices.';
comment on column census.use_day.events is 'Events, each counted once however often it was delivered.';

create table census.use_entry (
    entry_number bigint generated always as identity primary key,
    like census.use_day including comments
);
comment on table census.use_entry is 'Local queue. Net changes of use_day: what on this day is more or less.';
comment on column census.use_entry.entry_number is 'Tells entries apart; no order.';

-- Who is active.

create table census.active_day (
    app_number integer not null,
    day date not null,
    scope text not null,
    surface text not null,
    kind text not null,
    family text not null,
    platform text not null,
    devices_daily bigint not null,
    devices_weekly bigint not null,
    devices_in_window bigint not null,
    primary key (app_number, day, scope, surface, kind, family, platform),
    constraint active_day_counts check (
        0 <= devices_daily and devices_daily <= devices_weekly and devices_weekly <= devices_in_window),
    constraint active_day_scope_is_known check (scope in ('all', 'surface', 'kind', 'family', 'kind_family'))
);
comment on table census.active_day is 'Local aggregate. Distinct devices that were active when each closed day ended, among all and among those that certainly held something.';
comment on column census.active_day.app_number is 'The app.';
comment on column census.active_day.day is 'In the app''s zone.';
comment on column census.active_day.scope is 'Among which devices: all, or those that hold any widget of the surface, of the kind, of the family, or of kind and family.';
comment on column census.active_day.surface is 'widget, control, live_activity or today; empty where the scope is all.';
comment on column census.active_day.kind is 'The widget''s kind; empty where the scope has none.';
comment on column census.active_day.family is 'systemSmall and so on; empty where the scope has none.';
comment on column census.active_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.active_day.devices_daily is 'Heard from on the day.';
comment on column census.active_day.devices_weekly is 'Heard from in the seven days that end with it.';
comment on column census.active_day.devices_in_window is 'Heard from in the activity window that ends with it.';

create table census.active_entry (
    entry_number bigint generated always as identity primary key,
    like census.active_day including comments
);
comment on table census.active_entry is 'Local queue. Net changes of active_day: what from this day on is more or less.';
comment on column census.active_entry.entry_number is 'Tells entries apart; no order.';

-- How long a kind is kept.

create table census.cohort_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    week date not null,
    devices_placed bigint not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    primary key (app_number, surface, kind, week, day),
    constraint cohort_day_ends_a_week check (extract(isodow from day) = 7 and extract(isodow from week) = 1 and week < day)
);
comment on table census.cohort_day is 'Local aggregate. What each week that has ended changed of the devices that placed a kind in one week; their number is the sum of all weeks.';
comment on column census.cohort_day.app_number is 'The app.';
comment on column census.cohort_day.day is 'The Sunday that ends the week, in the app''s zone.';
comment on column census.cohort_day.surface is 'widget, control, live_activity or today.';
comment on column census.cohort_day.kind is 'The widget''s kind.';
comment on column census.cohort_day.week is 'The Monday of the week in which the devices placed the kind for the first time.';
comment on column census.cohort_day.devices_placed is 'In that week: how many they are; later 0, or what late data changed.';
comment on column census.cohort_day.devices_certain is 'By how many more certainly held the kind when the week ended than when it began.';
comment on column census.cohort_day.devices_possible is 'By how many more certainly or possibly held it.';

create table census.cohort_entry (
    entry_number bigint generated always as identity primary key,
    like census.cohort_day including comments
);
comment on table census.cohort_entry is 'Local queue. Net changes of cohort_day: what in this week is more or less.';
comment on column census.cohort_entry.entry_number is 'Tells entries apart; no order.';

-- Who holds two kinds.

create table census.overlap_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    other_kind text not null,
    devices bigint not null,
    primary key (app_number, day, surface, kind, other_kind),
    constraint overlap_day_kinds_are_ordered check (kind collate "C" < other_kind collate "C"),
    constraint overlap_day_counts check (devices >= 0)
);
comment on table census.overlap_day is 'Local aggregate. Devices that certainly held two kinds when each closed day ended, one of which was ever marked legacy.';
comment on column census.overlap_day.app_number is 'The app.';
comment on column census.overlap_day.day is 'In the app''s zone.';
comment on column census.overlap_day.surface is 'widget, control, live_activity or today.';
comment on column census.overlap_day.kind is 'One of the kinds, the first by its bytes.';
comment on column census.overlap_day.other_kind is 'The other one.';
comment on column census.overlap_day.devices is 'Distinct devices.';

create table census.overlap_entry (
    entry_number bigint generated always as identity primary key,
    like census.overlap_day including comments
);
comment on table census.overlap_entry is 'Local queue. Net changes of overlap_day: what from this day on is more or less.';
comment on column census.overlap_entry.entry_number is 'Tells entries apart; no order.';

insert into census.app_night (app_number, is_doubted)
select app_number, true from census.app
on conflict (app_number) do update set is_doubted = true;

insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
where folded_through is not null;
