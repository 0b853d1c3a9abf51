-- What the decision rests on: silent holders day by day, the devices that come and go, and holders by version
-- (docs/decisions/0039-verdicts-and-gallery.md).
--
-- The next night recounts every app's ledger from its spans: what is counted here was not entered before.

-- Silent holders.

alter table census.kind_day add column devices_silent bigint not null default 0;
comment on column census.kind_day.devices_silent is 'Devices that fell silent with it at most a year before, and counted by no other number.';
alter table census.kind_entry add column devices_silent bigint not null default 0;
comment on column census.kind_entry.devices_silent is 'Devices that fell silent with it at most a year before, and counted by no other number.';

-- A year after a device fell silent, time alone changes what it counts for once more.
update census.device set
    due_at = ((silent_at at time zone zone)::date + 365)::timestamp at time zone zone
where due_at is null
    and zone is not null;

-- Holders by version.

create table census.version_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    app_version text not null,
    os_version text not null,
    platform text not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    widgets_certain bigint not null,
    widgets_possible bigint not null,
    primary key (app_number, day, surface, kind, app_version, os_version, platform),
    constraint version_day_bounds_are_ordered check (
        0 <= devices_certain and devices_certain <= devices_possible
        and 0 <= widgets_certain and widgets_certain <= widgets_possible)
);
comment on table census.version_day is 'Local aggregate. Devices that held a kind at the end of each closed day, by what they ran: distinct devices, whatever the families.';
comment on column census.version_day.app_number is 'The app.';
comment on column census.version_day.day is 'In the app''s zone.';
comment on column census.version_day.surface is 'widget, control, live_activity or today.';
comment on column census.version_day.kind is 'The widget''s kind.';
comment on column census.version_day.app_version is 'The version that the device ran when the day ended.';
comment on column census.version_day.os_version is 'Major and minor; empty when not sent.';
comment on column census.version_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.version_day.devices_certain is 'Devices that certainly held it.';
comment on column census.version_day.devices_possible is 'Devices that certainly or possibly held it.';
comment on column census.version_day.widgets_certain is 'Placements that were certain.';
comment on column census.version_day.widgets_possible is 'Placements that were certain or possible.';

create table census.version_entry (
    entry_number bigint generated always as identity primary key,
    like census.version_day including comments
);
comment on table census.version_entry is 'Local queue. Net changes of version_day: what from this day on is more or less.';
comment on column census.version_entry.entry_number is 'Tells entries apart; no order.';

-- Devices that come and go.

create table census.holder_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    cause text not null,
    devices_added bigint not null,
    devices_removed bigint not null,
    primary key (app_number, day, surface, kind, cause),
    constraint holder_day_counts check (devices_added >= 0 and devices_removed >= 0)
);
comment on table census.holder_day is 'Local aggregate. Devices that came to hold a kind for certain on each closed day, and that ceased to, by cause.';
comment on column census.holder_day.app_number is 'The app.';
comment on column census.holder_day.day is 'In the app''s zone.';
comment on column census.holder_day.surface is 'widget, control, live_activity or today.';
comment on column census.holder_day.kind is 'The widget''s kind.';
comment on column census.holder_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name where placements differ.';
comment on column census.holder_day.devices_added is 'Devices on which a placement became certain, and none was.';
comment on column census.holder_day.devices_removed is 'Devices on which the last certain placement ceased to be.';

create table census.holder_entry (
    entry_number bigint generated always as identity primary key,
    like census.holder_day including comments
);
comment on table census.holder_entry is 'Local queue. Net changes of holder_day: what on this day is more or less.';
comment on column census.holder_entry.entry_number is 'Tells entries apart; no order.';

insert into census.app_night (app_number, is_doubted)
select app_number, true from census.app
on conflict (app_number) do update set is_doubted = true;

-- When a kind is ready. The first limits allowed a thousandth of the devices, which is much; an app that set others keeps
-- them.

update census.app set
    limit_devices = case when limit_devices = 100 then 1000 else limit_devices end,
    limit_share = case when limit_share = 0.001 then 0.0003 else limit_share end,
    ready_days = case when ready_days = 7 then 14 else ready_days end,
    minimum_coverage = case when minimum_coverage = 0.5 then 0.9 else minimum_coverage end;
alter table census.app
    alter column limit_devices set default 1000,
    alter column limit_share set default 0.0003,
    alter column ready_days set default 14,
    alter column minimum_coverage set default 0.9;
comment on column census.app.limit_share is '... and at most this share of the active devices, though three devices always may ...';
comment on column census.app.ready_days is '... on so many days running, all of them ended and closed ...';

-- Decisions, and what they were taken on.

create index device_uncounted on census.device (app_number)
where zone is null;

alter table census.kind_act
    add column reason text,
    add column replaced_by text,
    add column figures json;
comment on column census.kind_act.reason is 'Why, in the words of the person who decided; null: not said.';
comment on column census.kind_act.replaced_by is 'The kind that people are to use instead; null: none was named.';
comment on column census.kind_act.figures is 'The readiness of the kind when it was decided, as `kinds show --format json` has it; null for acts from before.';

create table census.readiness (
    app_number integer not null references census.app,
    day date not null,
    surface text not null,
    kind text not null,
    decided_at timestamptz not null default now(),
    lifecycle text not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    devices_expected double precision not null,
    devices_silent bigint not null,
    devices_active bigint not null,
    devices_reporting bigint not null,
    devices_with_replacement bigint,
    limit_devices bigint not null,
    half_life_days double precision,
    half_life_low double precision,
    half_life_high double precision,
    ready_on date,
    ready_on_earliest date,
    ready_on_latest date,
    forecast text not null,
    verdict text not null,
    reason text not null,
    figures json not null,
    primary key (app_number, surface, kind, day),
    constraint readiness_verdict_is_known check (verdict in ('ready', 'not ready', 'unknown', 'retired'))
);
comment on table census.readiness is 'Local aggregate. The verdict on each kind that was ever marked, by the days that had ended then; the newest of a day stands.';
comment on column census.readiness.app_number is 'The app.';
comment on column census.readiness.day is 'The last day that had ended, in the app''s zone.';
comment on column census.readiness.surface is 'widget, control, live_activity or today.';
comment on column census.readiness.kind is 'The widget''s kind.';
comment on column census.readiness.decided_at is 'When the verdict was made.';
comment on column census.readiness.lifecycle is 'legacy, retired or active, as people had decided.';
comment on column census.readiness.devices_certain is 'Active devices that certainly held it.';
comment on column census.readiness.devices_possible is 'Active devices that certainly or possibly held it.';
comment on column census.readiness.devices_expected is 'The best estimate between the bounds.';
comment on column census.readiness.devices_silent is 'Devices that fell silent with it at most a year before.';
comment on column census.readiness.devices_active is 'Devices heard from within the activity window.';
comment on column census.readiness.devices_reporting is 'Of these, sent a successful report within it.';
comment on column census.readiness.devices_with_replacement is 'Of the possible holders, held the replacing kind for certain; null: none was named.';
comment on column census.readiness.limit_devices is 'devices_possible + devices_silent had to be at or under it.';
comment on column census.readiness.half_life_days is 'Days in which half of the holders leave; null: it can''t be told.';
comment on column census.readiness.half_life_low is 'Low end of its 80 % interval.';
comment on column census.readiness.half_life_high is 'High end of its 80 % interval; null: open.';
comment on column census.readiness.ready_on is 'The day on which it will be ready at this rate; null: never, or it can''t be told.';
comment on column census.readiness.ready_on_earliest is 'The earliest day of the 80 % interval.';
comment on column census.readiness.ready_on_latest is 'The latest day of the 80 % interval; null: open.';
comment on column census.readiness.forecast is 'The forecast in words: the date, that there is none at this rate, or why none is made.';
comment on column census.readiness.verdict is 'ready, not ready, unknown or retired.';
comment on column census.readiness.reason is 'What hinders it, or what it rests on, in sentences.';
comment on column census.readiness.figures is 'Every condition with its figure and its limit.';
