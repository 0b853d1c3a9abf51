-- Devices by intent and by number of widgets, devices that possibly have a widget, and pairs of all kinds
-- (docs/decisions/0063-levels-by-intent-and-pair.md).
--
-- The next night recounts every app's ledger from its spans: what is counted here was not entered before.

alter table census.device_day add column devices_with_widget_possible bigint not null default 0;
comment on column census.device_day.devices_with_widget_possible is 'Of devices_active, certainly or possibly had a placement on the surface widget or today.';
alter table census.device_entry add column devices_with_widget_possible bigint not null default 0;
comment on column census.device_entry.devices_with_widget_possible is 'Of devices_active, certainly or possibly had a placement on the surface widget or today.';
comment on column census.device_day.devices_with_widget is 'Of devices_active, certainly had a placement on the surface widget or today.';
comment on column census.device_entry.devices_with_widget is 'Of devices_active, certainly had a placement on the surface widget or today.';

create table census.widget_count_day (
    app_number integer not null,
    day date not null,
    platform text collate "C" not null,
    widgets bigint not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    primary key (app_number, day, platform, widgets),
    constraint widget_count_day_widgets_are_few check (widgets between 0 and 11),
    constraint widget_count_day_counts check (devices_certain >= 0 and devices_possible >= 0)
);
comment on table census.widget_count_day is 'Local aggregate. Devices heard from in the activity window that ended with each closed day, by their number of placements on the surfaces widget and today.';
comment on column census.widget_count_day.app_number is 'The app.';
comment on column census.widget_count_day.day is 'Day in the app''s time zone.';
comment on column census.widget_count_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.widget_count_day.widgets is 'Number of placements; 11: that many or more.';
comment on column census.widget_count_day.devices_certain is 'Devices that certainly had this many, and no more.';
comment on column census.widget_count_day.devices_possible is 'Devices that certainly or possibly had this many, and no more.';

create table census.widget_count_entry (
    entry_number bigint generated always as identity primary key,
    like census.widget_count_day including comments
);
comment on table census.widget_count_entry is 'Local queue. Net changes of widget_count_day that no night has processed; each changes this day and all later ones.';
comment on column census.widget_count_entry.entry_number is 'Identifies the entry; has no order.';

create table census.intent_day (
    app_number integer not null,
    day date not null,
    surface text collate "C" not null,
    kind text collate "C" not null,
    intent text collate "C" not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    device_configurations bigint not null,
    primary key (app_number, day, surface, kind, intent),
    constraint intent_day_bounds_are_ordered check (0 <= devices_certain and devices_certain <= devices_possible),
    constraint intent_day_configurations_are_counted check (device_configurations >= 0)
);
comment on table census.intent_day is 'Local aggregate. Devices that had a kind with each intent at the end of each closed day.';
comment on column census.intent_day.app_number is 'The app.';
comment on column census.intent_day.day is 'Day in the app''s time zone.';
comment on column census.intent_day.surface is 'widget, control, live_activity or today.';
comment on column census.intent_day.kind is 'The widget''s kind.';
comment on column census.intent_day.intent is 'Class name of the configuration intent; empty if none was sent.';
comment on column census.intent_day.devices_certain is 'At least this many devices had it.';
comment on column census.intent_day.devices_possible is 'At most this many devices had it.';
comment on column census.intent_day.device_configurations is 'Distinct configurations that each device certainly had, added up over devices.';

create table census.intent_entry (
    entry_number bigint generated always as identity primary key,
    like census.intent_day including comments
);
comment on table census.intent_entry is 'Local queue. Net changes of intent_day that no night has processed; each changes this day and all later ones.';
comment on column census.intent_entry.entry_number is 'Identifies the entry; has no order.';

comment on table census.overlap_day is 'Local aggregate. Devices that certainly had two kinds of a surface when each closed day ended. A device with more than 30 kinds of the surface is left out.';
comment on column census.device.legacy_kinds is 'No longer used: overlaps of all kinds are counted.';

insert into census.app_night (app_number, is_doubted)
select app_number, true from census.app
on conflict (app_number) do update set is_doubted = true;
