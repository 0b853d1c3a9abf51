-- The ledger: what every reconciled device changes goes into net changes per day, and a night makes levels of them
-- (docs/decisions/0016-ledger.md).
--
-- Levels stand in the tables that end in _day, net changes that no night has taken yet in those that end in _entry.
-- Every device is read anew: what was counted before was counted from spans and left no net changes.

-- What a device is and does, beside what it holds.

create table census.phase (
    device_id uuid not null,
    from_at timestamptz not null,
    app_number integer not null,
    to_at timestamptz,
    platform text not null,
    os_version text,
    app_version text not null,
    gallery_policy bigint,
    is_reporting boolean not null,
    is_cloned boolean not null,
    primary key (device_id, from_at),
    constraint phase_has_length check (from_at < to_at)
);
comment on table census.phase is 'Device. A stretch of time in which a device was heard from and ran one version of the app on one version of the OS.';
comment on column census.phase.device_id is 'Keyed hash of the app and the device id.';
comment on column census.phase.from_at is 'Since when.';
comment on column census.phase.app_number is 'The app.';
comment on column census.phase.to_at is 'Until when, excluded; null while it lasts: it ends at device.silent_at.';
comment on column census.phase.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.phase.os_version is 'Major and minor; null when not sent.';
comment on column census.phase.app_version is 'As sent.';
comment on column census.phase.gallery_policy is 'The version of the gallery policy that the app last said it had applied; null: none.';
comment on column census.phase.is_reporting is 'A report had succeeded within the activity window; of the last phase only until device.reporting_until.';
comment on column census.phase.is_cloned is 'An installation that had ended had gone on sending.';

alter table census.device
    drop column suspect_since,
    add column zone text,
    add column reporting_until timestamptz,
    add column due_at timestamptz;
comment on column census.device.zone is 'The zone whose days its net changes were entered by; null: it was not counted yet.';
comment on column census.device.reporting_until is 'Until when its last successful report of any installation counts; null: none ever succeeded.';
comment on column census.device.due_at is 'When time alone will next change what it counts for (silent_at, reporting_until); what lies before is entered, null: all of it.';
create index device_due on census.device (due_at)
where due_at is not null;
drop index census.device_app;
-- Nothing counts from spans any more but the check of it, which reads them all.
drop index census.span_time;
drop index census.span_settled;
drop index census.span_fading;
drop table census.restatement;

create table census.reconciled (
    app_number integer primary key,
    as_of timestamptz not null
);
comment on table census.reconciled is 'Local. How far each app is reconciled.';
comment on column census.reconciled.app_number is 'The app.';
comment on column census.reconciled.as_of is 'Time of its last reconciled event.';

-- Levels.

alter table census.kind_day
    add column widgets_suspect bigint not null default 0,
    add column widgets_gone bigint not null default 0,
    add column widgets_still_there bigint not null default 0,
    add constraint kind_day_outcomes_are_within check (
        widgets_gone >= 0 and widgets_still_there >= 0 and widgets_gone + widgets_still_there <= widgets_suspect);
comment on column census.kind_day.widgets_suspect is 'Placements that the OS reported and that might have been stale.';
comment on column census.kind_day.widgets_gone is 'Of these, proved later to have been gone: ghosts.';
comment on column census.kind_day.widgets_still_there is 'Of these, proved later to have been there.';
update census.kind_day set
    devices_certain = 0,
    devices_possible = 0,
    devices_still_there = 0,
    devices_reported = 0,
    widgets_certain = 0,
    widgets_possible = 0,
    widgets_reported = 0;
delete from census.kind_day_unsettled;
alter table census.kind_day_unsettled
    drop constraint kind_day_unsettled_counts,
    add constraint kind_day_unsettled_counts check (devices >= 0);

create table census.install_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    family text not null,
    app_version text not null,
    os_version text not null,
    platform text not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    widgets_certain bigint not null,
    widgets_possible bigint not null,
    widgets_reported bigint not null,
    primary key (app_number, day, surface, kind, family, app_version, os_version, platform),
    constraint install_day_bounds_are_ordered check (
        0 <= devices_certain and devices_certain <= devices_possible
        and 0 <= widgets_certain and widgets_certain <= widgets_possible and 0 <= widgets_reported)
);
comment on table census.install_day is 'Local aggregate. Devices and widgets at the end of each closed day, by all that tells installs apart; what is zero has no row.';
comment on column census.install_day.app_number is 'The app.';
comment on column census.install_day.day is 'In the app''s zone.';
comment on column census.install_day.surface is 'widget, control, live_activity or today.';
comment on column census.install_day.kind is 'The widget''s kind.';
comment on column census.install_day.family is 'systemSmall and so on; empty where the app does not send it.';
comment on column census.install_day.app_version is 'The version that the device ran when the day ended.';
comment on column census.install_day.os_version is 'Major and minor; empty when not sent.';
comment on column census.install_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.install_day.devices_certain is 'Devices that certainly held it.';
comment on column census.install_day.devices_possible is 'Devices that certainly or possibly held it.';
comment on column census.install_day.widgets_certain is 'Placements that were certain.';
comment on column census.install_day.widgets_possible is 'Placements that were certain or possible.';
comment on column census.install_day.widgets_reported is 'Placements that the OS claimed.';

create table census.device_day (
    app_number integer not null,
    day date not null,
    app_version text not null,
    os_version text not null,
    platform text not null,
    gallery_policy bigint not null,
    devices_active bigint not null,
    devices_with_widget bigint not null,
    devices_reporting bigint not null,
    devices_cloned bigint not null,
    primary key (app_number, day, app_version, os_version, platform, gallery_policy),
    constraint device_day_counts_are_within check (
        devices_with_widget between 0 and devices_active
        and devices_reporting between 0 and devices_active
        and devices_cloned between 0 and devices_active)
);
comment on table census.device_day is 'Local aggregate. Devices heard from in the activity window that ended with each closed day; every device is in one row of a day.';
comment on column census.device_day.app_number is 'The app.';
comment on column census.device_day.day is 'In the app''s zone.';
comment on column census.device_day.app_version is 'The version that the device ran when the day ended.';
comment on column census.device_day.os_version is 'Major and minor; empty when not sent.';
comment on column census.device_day.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.device_day.gallery_policy is 'The version of the gallery policy that it had applied; 0: none.';
comment on column census.device_day.devices_active is 'Devices heard from within the window.';
comment on column census.device_day.devices_with_widget is 'Of these, certainly held a placement on the surface widget or today.';
comment on column census.device_day.devices_reporting is 'Of these, sent a successful report within the window.';
comment on column census.device_day.devices_cloned is 'Of these, known to live twice: an installation that had ended had gone on sending.';

-- What happened on a day.

create table census.change_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    family text not null,
    cause text not null,
    widgets_added bigint not null,
    widgets_removed bigint not null,
    primary key (app_number, day, surface, kind, family, cause),
    constraint change_day_counts check (widgets_added >= 0 and widgets_removed >= 0)
);
comment on table census.change_day is 'Local aggregate. Certain placements that came and went on each closed day, by cause.';
comment on column census.change_day.app_number is 'The app.';
comment on column census.change_day.day is 'In the app''s zone.';
comment on column census.change_day.surface is 'widget, control, live_activity or today.';
comment on column census.change_day.kind is 'The widget''s kind.';
comment on column census.change_day.family is 'systemSmall and so on; empty where the app does not send it.';
comment on column census.change_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
comment on column census.change_day.widgets_added is 'Placements that became certain.';
comment on column census.change_day.widgets_removed is 'Placements that were certain and no longer were.';

create table census.outcome_day (
    app_number integer not null,
    day date not null,
    platform text not null,
    os_version text not null,
    claim_rule text not null,
    suspects_settled bigint not null,
    suspects_still_there bigint not null,
    suspect_seconds bigint not null,
    primary key (app_number, day, platform, os_version, claim_rule),
    constraint outcome_day_counts check (suspects_still_there between 0 and suspects_settled and suspect_seconds >= 0)
);
comment on table census.outcome_day is 'Local aggregate. Suspects of which it became known on each closed day whether they were there, by what had claimed them first.';
comment on column census.outcome_day.app_number is 'The app.';
comment on column census.outcome_day.day is 'In the app''s zone.';
comment on column census.outcome_day.platform is 'The platform that first claimed them.';
comment on column census.outcome_day.os_version is 'The OS version that first claimed them, major and minor; empty when unknown.';
comment on column census.outcome_day.claim_rule is 'The rule that doubted them: reinstall or fresh_install.';
comment on column census.outcome_day.suspects_settled is 'Suspects of which it became known.';
comment on column census.outcome_day.suspects_still_there is 'Of these, those that were there.';
comment on column census.outcome_day.suspect_seconds is 'For how long they had been suspect, all together.';

create table census.read_day (
    app_number integer not null,
    day date not null,
    reads bigint not null,
    reads_failed bigint not null,
    primary key (app_number, day),
    constraint read_day_counts check (reads_failed between 0 and reads)
);
comment on table census.read_day is 'Local aggregate. How often apps read the list of widgets on each closed day.';
comment on column census.read_day.app_number is 'The app.';
comment on column census.read_day.day is 'In the app''s zone.';
comment on column census.read_day.reads is 'Reports, successful or not.';
comment on column census.read_day.reads_failed is 'Of these, reads that had failed.';

-- Net changes that no night has taken yet.

create table census.kind_entry (
    entry_number bigint generated always as identity primary key,
    like census.kind_day including comments
);
alter table census.kind_entry
    drop column devices_certain_first_known,
    drop column devices_possible_first_known;
comment on table census.kind_entry is 'Local queue. Net changes of kind_day: what from this day on is more or less.';
comment on column census.kind_entry.entry_number is 'Tells entries apart; no order.';

create table census.kind_unsettled_entry (
    entry_number bigint generated always as identity primary key,
    like census.kind_day_unsettled including comments
);
comment on table census.kind_unsettled_entry is 'Local queue. Net changes of kind_day_unsettled: what from this day on is more or less.';
comment on column census.kind_unsettled_entry.entry_number is 'Tells entries apart; no order.';

create table census.install_entry (
    entry_number bigint generated always as identity primary key,
    like census.install_day including comments
);
comment on table census.install_entry is 'Local queue. Net changes of install_day: what from this day on is more or less.';
comment on column census.install_entry.entry_number is 'Tells entries apart; no order.';

create table census.device_entry (
    entry_number bigint generated always as identity primary key,
    like census.device_day including comments
);
comment on table census.device_entry is 'Local queue. Net changes of device_day: what from this day on is more or less.';
comment on column census.device_entry.entry_number is 'Tells entries apart; no order.';

create table census.change_entry (
    entry_number bigint generated always as identity primary key,
    like census.change_day including comments
);
comment on table census.change_entry is 'Local queue. Net changes of change_day: what on this day is more or less.';
comment on column census.change_entry.entry_number is 'Tells entries apart; no order.';

create table census.outcome_entry (
    entry_number bigint generated always as identity primary key,
    like census.outcome_day including comments
);
comment on table census.outcome_entry is 'Local queue. Net changes of outcome_day: what on this day is more or less.';
comment on column census.outcome_entry.entry_number is 'Tells entries apart; no order.';

create table census.read_entry (
    entry_number bigint generated always as identity primary key,
    app_number integer not null,
    quarter_at timestamptz not null,
    reads bigint not null,
    reads_failed bigint not null
);
comment on table census.read_entry is 'Local queue. Reads in the transaction that stored them; days begin at quarters of an hour in every zone.';
comment on column census.read_entry.entry_number is 'Tells entries apart; no order.';
comment on column census.read_entry.app_number is 'The app.';
comment on column census.read_entry.quarter_at is 'Start of the quarter of an hour, on the server''s clock.';
comment on column census.read_entry.reads is 'Reports, successful or not.';
comment on column census.read_entry.reads_failed is 'Of these, reads that had failed.';

-- What was refused, by app and day, as report.refused counts it: the index alone answers, a million events in 0.2 s. All
-- messages are our own sentences, and short.
create index refused_app on census.refused (app_number, refused_on, code, message);

-- Retention.

create table census.retention (
    is_single boolean primary key default true,
    days integer not null default 90,
    kept_from date,
    constraint retention_is_single check (is_single),
    constraint retention_is_sane check (days between 1 and 3650)
);
comment on table census.retention is 'Lookup. For how long observations are kept; one row.';
comment on column census.retention.is_single is 'Always true: there is one row.';
comment on column census.retention.days is 'Days for which an observation is kept; older events are refused as too_old.';
comment on column census.retention.kept_from is 'The first day, in UTC, of which every observation is kept; null: none was dropped yet.';
insert into census.retention default values;

-- Events of clocks that are ahead lie in partitions of later days than theirs.
create index observation_ahead on census.observation (corrected_at)
where corrected_at < occurred_at;

create table census.device_base (
    device_id uuid primary key,
    app_number integer not null,
    folded_through timestamptz not null,
    checkpoint bytea not null
);
comment on table census.device_base is 'Device. What a device''s observations had led to that are no longer kept: late data are folded onto it.';
comment on column census.device_base.device_id is 'Keyed hash of the app and the device id.';
comment on column census.device_base.app_number is 'The app.';
comment on column census.device_base.folded_through is 'No observation up to this time is needed any more.';
comment on column census.device_base.checkpoint is 'The fold''s state then.';

-- Versions make cells, too, and clients choose them.

alter table census.known_name
    drop constraint known_name_dimension_is_known,
    add constraint known_name_dimension_is_known check (dimension in ('kind', 'family', 'app_version', 'os_version'));
comment on table census.known_name is 'Lookup. The kinds, families and versions seen so far: what the caps against broken clients count.';
comment on column census.known_name.dimension is 'kind, family, app_version or os_version (major and minor).';

-- Nights.

create table census.night_run (
    run_number bigint generated always as identity primary key,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    failure text,
    devices bigint,
    observations bigint,
    spans_changed bigint,
    days_closed bigint,
    days_restated bigint,
    partitions_made bigint,
    partitions_dropped bigint,
    reconcile_seconds double precision,
    close_seconds double precision,
    keep_seconds double precision,
    verify_seconds double precision
);
comment on table census.night_run is 'Local. Every run of the nightly job.';
comment on column census.night_run.run_number is 'Grows with every run.';
comment on column census.night_run.started_at is 'When it began.';
comment on column census.night_run.finished_at is 'When it ended; null: it runs still, or was killed.';
comment on column census.night_run.failure is 'Why it failed; null: it did not.';
comment on column census.night_run.devices is 'Devices that were reconciled.';
comment on column census.night_run.observations is 'Observations that were folded.';
comment on column census.night_run.spans_changed is 'Spans that were written or deleted.';
comment on column census.night_run.days_closed is 'Days that were closed for the first time, of all apps.';
comment on column census.night_run.days_restated is 'Closed days whose numbers changed, of all apps.';
comment on column census.night_run.partitions_made is 'Partitions of observations made ahead.';
comment on column census.night_run.partitions_dropped is 'Partitions past the retention.';
comment on column census.night_run.reconcile_seconds is 'How long it took to reconcile.';
comment on column census.night_run.close_seconds is 'How long it took to make levels of net changes.';
comment on column census.night_run.keep_seconds is 'How long partitions and retention took.';
comment on column census.night_run.verify_seconds is 'How long the check took; null: it was not asked for.';

insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device;
