-- The tables of Widget Census.
--
-- Device data has device_id in every key and is never joined by anything else, so that the tables can be distributed by
-- device (docs/decisions/0004-citus.md). Each comment says which of four kinds a table is:
-- device (distributed), lookup (small, everywhere), local (queues, aggregates: in one place).

create schema census;
create schema report;

create table census.deployment (
    is_single boolean primary key default true,
    secret_fingerprint bytea not null,
    created_at timestamptz not null default now(),
    constraint deployment_is_single check (is_single)
);
comment on table census.deployment is 'Lookup. What is fixed for the life of this database; one row.';
comment on column census.deployment.is_single is 'Always true: there is one row.';
comment on column census.deployment.secret_fingerprint is 'SHA-256 of the key under which ids are hashed; another key would count every device twice.';
comment on column census.deployment.created_at is 'When the database was first used.';

create table census.app (
    app_number integer generated always as identity primary key,
    app_id text not null,
    zone text not null default 'UTC',
    window_days integer not null default 28,
    maximum_kinds integer not null default 1000,
    maximum_families integer not null default 100,
    limit_devices integer not null default 100,
    limit_share double precision not null default 0.001,
    ready_days integer not null default 7,
    minimum_coverage double precision not null default 0.5,
    created_at timestamptz not null default now(),
    constraint app_id_is_unique unique (app_id),
    constraint app_id_has_length check (length(app_id) between 1 and 200),
    constraint app_window_is_sane check (window_days between 1 and 400),
    constraint app_limits_are_sane check (limit_devices >= 0 and limit_share between 0 and 1),
    constraint app_coverage_is_a_share check (minimum_coverage between 0 and 1),
    constraint app_ready_days_are_sane check (ready_days between 1 and 400)
);
comment on table census.app is 'Lookup. One application: the tenant, and how it wants to be counted.';
comment on column census.app.app_number is 'Stands for app_id in the large tables.';
comment on column census.app.app_id is 'Bundle id or package name.';
comment on column census.app.zone is 'IANA time zone in which the days of the reports begin and end.';
comment on column census.app.window_days is 'Days for which a device counts after it was last heard from, that day included.';
comment on column census.app.maximum_kinds is 'Distinct widget kinds taken from clients; more are refused as too_many_kinds.';
comment on column census.app.maximum_families is 'Distinct families taken from clients; more are refused as too_many_kinds.';
comment on column census.app.limit_devices is 'A legacy kind is ready when at most this many devices may still hold it ...';
comment on column census.app.limit_share is '... and at most this share of the active devices ...';
comment on column census.app.ready_days is '... on so many closed days running ...';
comment on column census.app.minimum_coverage is '... and at least this share of the active devices sent a successful report within the window.';
comment on column census.app.created_at is 'When the app was added.';

create table census.api_key (
    key_hash bytea primary key,
    app_number integer not null references census.app,
    role text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    constraint api_key_role_is_known check (role in ('write', 'read', 'release'))
);
comment on table census.api_key is 'Lookup. The keys that were given out; the keys themselves are not kept.';
comment on column census.api_key.key_hash is 'SHA-256 of the key.';
comment on column census.api_key.app_number is 'The app that the key belongs to.';
comment on column census.api_key.role is 'write: ships in apps; read: console and reports; release: manifests.';
comment on column census.api_key.created_at is 'When the key was made.';
comment on column census.api_key.revoked_at is 'Since when it is refused; null while it is good.';

create table census.known_name (
    app_number integer not null references census.app,
    dimension text not null,
    name text not null,
    first_seen_at timestamptz not null default now(),
    primary key (app_number, dimension, name),
    constraint known_name_dimension_is_known check (dimension in ('kind', 'family'))
);
comment on table census.known_name is 'Lookup. The kinds and families seen so far: what the caps against broken clients count.';
comment on column census.known_name.app_number is 'The app.';
comment on column census.known_name.dimension is 'kind or family.';
comment on column census.known_name.name is 'As sent.';
comment on column census.known_name.first_seen_at is 'When it was first accepted.';

create table census.observation (
    device_id uuid not null,
    event_id text not null,
    occurred_at timestamptz not null,
    corrected_at timestamptz not null,
    received_at timestamptz not null,
    app_number integer not null,
    installation_id uuid not null,
    type text not null,
    surface text not null,
    source text,
    platform text not null,
    os_version text,
    os_build text,
    app_version text not null,
    channel text not null,
    booted_at timestamptz,
    first_launched_at timestamptz,
    gallery_policy bigint,
    content json not null,
    primary key (device_id, event_id, occurred_at)
) partition by range (occurred_at);
comment on table census.observation is 'Device, append-only. Every accepted event, a partition a day. An event is identified by device, id and time as sent.';
comment on column census.observation.device_id is 'Keyed hash of the app and the device id; raw ids are not kept.';
comment on column census.observation.event_id is 'The sender''s id of the event.';
comment on column census.observation.occurred_at is 'The event''s time as the device''s clock had it: part of its identity, never used to order events.';
comment on column census.observation.corrected_at is 'The event''s time on the server''s clock.';
comment on column census.observation.received_at is 'When the batch arrived.';
comment on column census.observation.app_number is 'The app.';
comment on column census.observation.installation_id is 'Keyed hash of the installation id.';
comment on column census.observation.type is 'The type on the wire, such as widgets_reported.';
comment on column census.observation.surface is 'widget, control, live_activity or today.';
comment on column census.observation.source is 'Who spoke: app, extension, or what the sender calls it.';
comment on column census.observation.platform is 'ios, ipados, macos, watchos, visionos or android.';
comment on column census.observation.os_version is 'As sent, such as 14.3.';
comment on column census.observation.os_build is 'As sent, such as 18C66: what tells a beta from its release.';
comment on column census.observation.app_version is 'As sent.';
comment on column census.observation.channel is 'Anything but production is kept and never counted.';
comment on column census.observation.booted_at is 'When the device last started, on the server''s clock; null when not sent.';
comment on column census.observation.first_launched_at is 'The app''s first launch in this installation, on the server''s clock; null when not sent.';
comment on column census.observation.gallery_policy is 'The version of the gallery policy that the app had applied.';
comment on column census.observation.content is 'What the event says, in one canonical spelling: equal contents have equal text.';

-- A clock that is years off must not fail an insert: what belongs to no day that was made ahead lands here.
create table census.observation_other partition of census.observation default;
comment on table census.observation_other is 'Observations whose time as sent lies outside all partitions made so far.';

create table census.refused (
    device_id uuid not null,
    refused_on date not null,
    digest bytea not null,
    app_number integer not null,
    received_at timestamptz not null,
    code text not null,
    message text not null,
    event_id text,
    event bytea not null,
    primary key (device_id, refused_on, digest)
);
comment on table census.refused is 'Device. Events refused at the door, with the reason; a redelivery on the same day adds nothing.';
comment on column census.refused.device_id is 'Keyed hash of the app and the device id.';
comment on column census.refused.refused_on is 'The day, in UTC.';
comment on column census.refused.digest is 'SHA-256 of the event as sent.';
comment on column census.refused.app_number is 'The app.';
comment on column census.refused.received_at is 'When the batch arrived.';
comment on column census.refused.code is 'The stable code on the wire, such as too_old.';
comment on column census.refused.message is 'The sentence that the sender got.';
comment on column census.refused.event_id is 'The event''s id, where it could be read.';
comment on column census.refused.event is 'The event''s bytes as sent, at most 64 KiB of them.';

create table census.pending_device (
    device_id uuid not null,
    pending_number bigint generated always as identity,
    app_number integer not null,
    primary key (device_id, pending_number)
);
comment on table census.pending_device is 'Local queue. Devices with observations that the reconciler has not seen; written in the transaction of the observations, so that one committed late is never skipped.';
comment on column census.pending_device.pending_number is 'Tells entries apart; no order.';
comment on column census.pending_device.app_number is 'The app.';
comment on column census.pending_device.device_id is 'The device; may be queued several times.';

create table census.device (
    device_id uuid primary key,
    app_number integer not null,
    installation_id uuid not null,
    is_settled boolean not null,
    is_cloned boolean not null,
    platform text not null,
    os_version text,
    app_version text not null,
    first_heard_at timestamptz not null,
    last_heard_at timestamptz not null,
    last_report_at timestamptz,
    silent_at timestamptz not null,
    constraint device_times_are_ordered check (first_heard_at <= last_heard_at and last_heard_at < silent_at)
);
comment on table census.device is 'Device. Each device as of its last reconciled observation.';
comment on column census.device.device_id is 'Keyed hash of the app and the device id.';
comment on column census.device.app_number is 'The app.';
comment on column census.device.installation_id is 'Keyed hash of the current installation.';
comment on column census.device.is_settled is 'The device has booted since the app''s first launch: what the OS claims is true.';
comment on column census.device.is_cloned is 'An installation that had ended went on sending.';
comment on column census.device.platform is 'As last sent.';
comment on column census.device.os_version is 'As last sent.';
comment on column census.device.app_version is 'As last sent.';
comment on column census.device.first_heard_at is 'Time of the first observation.';
comment on column census.device.last_heard_at is 'Time of the last one.';
comment on column census.device.last_report_at is 'Time of the last successful report in the current installation.';
comment on column census.device.silent_at is 'When the device leaves every count, unless it is heard from before.';
create index device_app on census.device (app_number, silent_at);

create table census.span (
    device_id uuid not null,
    ordinal integer not null,
    app_number integer not null,
    surface text not null,
    kind text not null,
    family text,
    intent text,
    configuration text,
    instance text,
    from_at timestamptz not null,
    to_at timestamptz,
    certain integer not null,
    suspect integer not null,
    reported integer not null,
    still_there integer,
    claim_platform text,
    claim_os_version text,
    began_cause text not null,
    began_rule text not null,
    ended_cause text,
    ended_rule text,
    primary key (device_id, ordinal),
    constraint span_has_length check (from_at < to_at),
    constraint span_holds_something check (certain >= 0 and suspect >= 0 and reported >= 0 and certain + suspect + reported > 0),
    constraint span_outcome_is_within check (still_there between 0 and suspect),
    constraint span_end_has_a_cause check ((to_at is null) = (ended_cause is null) and (to_at is null) = (ended_rule is null))
);
comment on table census.span is 'Device. A stretch of time in which a device held the same number of equal placements.';
comment on column census.span.device_id is 'Keyed hash of the app and the device id.';
comment on column census.span.ordinal is 'Tells the spans of a device apart; no order.';
comment on column census.span.app_number is 'The app.';
comment on column census.span.surface is 'widget, control, live_activity or today.';
comment on column census.span.kind is 'The widget''s kind.';
comment on column census.span.family is 'systemSmall and so on; null where the app does not send it.';
comment on column census.span.intent is 'Class name of the configuration intent.';
comment on column census.span.configuration is 'Digest of the user''s settings.';
comment on column census.span.instance is 'Android''s appWidgetId or a control''s token digest.';
comment on column census.span.from_at is 'Since when.';
comment on column census.span.to_at is 'Until when, excluded; null while it lasts.';
comment on column census.span.certain is 'Placements that the evidence forces.';
comment on column census.span.suspect is 'Placements that the OS reports and that may be stale.';
comment on column census.span.reported is 'What the last successful report claimed.';
comment on column census.span.still_there is 'Of the suspects, how many a reboot proved to have been there; null while unknown.';
comment on column census.span.claim_platform is 'The platform that first claimed the suspects.';
comment on column census.span.claim_os_version is 'The OS version that first claimed the suspects.';
comment on column census.span.began_cause is 'Why it began, in the words of report.changes.';
comment on column census.span.began_rule is 'The rule of docs/reconciliation.md that began it.';
comment on column census.span.ended_cause is 'Why it ended.';
comment on column census.span.ended_rule is 'The rule that ended it.';
create index span_live on census.span (app_number, surface, kind) where to_at is null;
create index span_settled on census.span (app_number) where ended_rule = 'reboot' and still_there is not null;
create index span_time on census.span (app_number, from_at, to_at);

create table census.restatement (
    app_number integer primary key,
    from_day date not null
);
comment on table census.restatement is 'Local. The earliest day whose spans changed since the app''s last night.';
comment on column census.restatement.app_number is 'The app.';
comment on column census.restatement.from_day is 'In the app''s zone.';

create table census.closed_day (
    app_number integer not null,
    day date not null,
    closed_at timestamptz not null default now(),
    restated_at timestamptz,
    primary key (app_number, day)
);
comment on table census.closed_day is 'Local. The days that the nightly job has closed.';
comment on column census.closed_day.app_number is 'The app.';
comment on column census.closed_day.day is 'In the app''s zone.';
comment on column census.closed_day.closed_at is 'When it was first closed.';
comment on column census.closed_day.restated_at is 'When late data last changed it.';

create table census.kind_day (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    devices_certain bigint not null,
    devices_possible bigint not null,
    devices_still_there bigint not null,
    widgets_certain bigint not null,
    widgets_possible bigint not null,
    widgets_reported bigint not null,
    devices_certain_first_known bigint not null,
    devices_possible_first_known bigint not null,
    primary key (app_number, day, surface, kind),
    constraint kind_day_bounds_are_ordered check (
        0 <= devices_certain and devices_certain + devices_still_there <= devices_possible
        and 0 <= widgets_certain and widgets_certain <= widgets_possible)
);
comment on table census.kind_day is 'Local aggregate. How many devices and widgets each kind had at the end of each closed day.';
comment on column census.kind_day.app_number is 'The app.';
comment on column census.kind_day.day is 'In the app''s zone.';
comment on column census.kind_day.surface is 'widget, control, live_activity or today.';
comment on column census.kind_day.kind is 'The widget''s kind.';
comment on column census.kind_day.devices_certain is 'Devices that certainly held it.';
comment on column census.kind_day.devices_possible is 'Devices that certainly or possibly held it.';
comment on column census.kind_day.devices_still_there is 'Of those that only possibly held it: proved later to have held it.';
comment on column census.kind_day.widgets_certain is 'Placements that were certain.';
comment on column census.kind_day.widgets_possible is 'Placements that were certain or suspect.';
comment on column census.kind_day.widgets_reported is 'Placements that the OS claimed.';
comment on column census.kind_day.devices_certain_first_known is 'devices_certain when the day was first closed.';
comment on column census.kind_day.devices_possible_first_known is 'devices_possible when the day was first closed.';

create table census.kind_day_unsettled (
    app_number integer not null,
    day date not null,
    surface text not null,
    kind text not null,
    platform text not null,
    os_version text not null,
    devices bigint not null,
    primary key (app_number, day, surface, kind, platform, os_version),
    constraint kind_day_unsettled_counts check (devices > 0)
);
comment on table census.kind_day_unsettled is 'Local aggregate. Devices that possibly held a kind and whose suspects no reboot has settled, by the OS of the claim: the share that weighs them moves, these numbers do not.';
comment on column census.kind_day_unsettled.app_number is 'The app.';
comment on column census.kind_day_unsettled.day is 'In the app''s zone.';
comment on column census.kind_day_unsettled.surface is 'widget, control, live_activity or today.';
comment on column census.kind_day_unsettled.kind is 'The widget''s kind.';
comment on column census.kind_day_unsettled.platform is 'The platform that first claimed them.';
comment on column census.kind_day_unsettled.os_version is 'The OS version that first claimed them; empty when unknown.';
comment on column census.kind_day_unsettled.devices is 'Devices.';

create table census.kind_act (
    act_number bigint generated always as identity primary key,
    app_number integer not null references census.app,
    surface text not null,
    kind text not null,
    lifecycle text not null,
    actor text not null,
    acted_at timestamptz not null default now(),
    devices_certain bigint not null,
    devices_possible bigint not null,
    constraint kind_act_lifecycle_is_known check (lifecycle in ('active', 'legacy', 'retired'))
);
comment on table census.kind_act is 'Local. What people decided about a kind: who, when, and on which numbers. The last act holds.';
comment on column census.kind_act.act_number is 'Grows with every act; also the version of the app''s gallery policy.';
comment on column census.kind_act.app_number is 'The app.';
comment on column census.kind_act.surface is 'widget, control, live_activity or today.';
comment on column census.kind_act.kind is 'The widget''s kind.';
comment on column census.kind_act.lifecycle is 'active, legacy or retired; retire_ready is computed.';
comment on column census.kind_act.actor is 'Who decided: the account that ran the command.';
comment on column census.kind_act.acted_at is 'When.';
comment on column census.kind_act.devices_certain is 'What live_now said at that moment.';
comment on column census.kind_act.devices_possible is 'What live_now said at that moment.';
create index kind_act_of_kind on census.kind_act (app_number, surface, kind, act_number);
