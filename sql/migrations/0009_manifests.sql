-- What each version of an app ships. A manifest is never changed: what was compared with it must stay true.

create table census.manifest (
    app_number integer not null references census.app,
    app_version text not null,
    added_at timestamptz not null default now(),
    added_by text not null,
    digest bytea not null,
    source text not null,
    primary key (app_number, app_version)
);
comment on table census.manifest is 'Lookup, append-only. What a version of an app says it ships.';
comment on column census.manifest.app_number is 'The app.';
comment on column census.manifest.app_version is 'The version, as devices send it.';
comment on column census.manifest.added_at is 'When it was added.';
comment on column census.manifest.added_by is 'Who added it: a name, or a release key by the beginning of its hash.';
comment on column census.manifest.digest is 'SHA-256 of the manifest in its canonical spelling: the same again changes nothing, another one is refused.';
comment on column census.manifest.source is 'The file as it was given.';

create table census.manifest_kind (
    app_number integer not null,
    app_version text not null,
    surface text not null,
    kind text not null,
    families text[],
    intent text,
    migrates_from text[] not null,
    replaces text,
    primary key (app_number, app_version, surface, kind),
    foreign key (app_number, app_version) references census.manifest
);
comment on table census.manifest_kind is 'Lookup, append-only. The widget kinds of a manifest.';
comment on column census.manifest_kind.app_number is 'The app.';
comment on column census.manifest_kind.app_version is 'The version of the manifest.';
comment on column census.manifest_kind.surface is 'widget, control, live_activity or today.';
comment on column census.manifest_kind.kind is 'The widget''s kind.';
comment on column census.manifest_kind.families is 'The families that it offers; null: any, empty: none.';
comment on column census.manifest_kind.intent is 'Class name of the configuration intent; null: a static configuration.';
comment on column census.manifest_kind.migrates_from is 'Former intents whose settings the intent takes over.';
comment on column census.manifest_kind.replaces is 'The kind that it is offered instead of; null: none.';

-- Losses that a person foresaw and accepted.

create table census.acknowledgement (
    acknowledgement_number bigint generated always as identity primary key,
    app_number integer not null references census.app,
    fingerprint text not null,
    maximum_loss bigint not null,
    until_day date not null,
    acknowledged_by text not null,
    reason text not null,
    acknowledged_at timestamptz not null default now(),
    rule text,
    surface text,
    kind text,
    app_version text,
    constraint acknowledgement_fingerprint_is_one check (fingerprint ~ '^[0-9a-f]{12}$'),
    constraint acknowledgement_allows_a_loss check (maximum_loss >= 0)
);
create index acknowledgement_app on census.acknowledgement (app_number);
comment on table census.acknowledgement is 'Lookup, append-only. Findings of preflight that a person accepted; the last one of a fingerprint counts.';
comment on column census.acknowledgement.acknowledgement_number is 'The order in which they were given.';
comment on column census.acknowledgement.app_number is 'The app.';
comment on column census.acknowledgement.fingerprint is 'The finding: the first 12 hexadecimal digits of a SHA-256 over rule, app, surface, kind, old and new.';
comment on column census.acknowledgement.maximum_loss is 'Devices that may lose a widget by it; if more may, it does not hold.';
comment on column census.acknowledgement.until_day is 'The last day on which it holds, in UTC.';
comment on column census.acknowledgement.acknowledged_by is 'Who accepted it.';
comment on column census.acknowledgement.reason is 'Why.';
comment on column census.acknowledgement.acknowledged_at is 'When.';
comment on column census.acknowledgement.rule is 'The finding''s rule, where a manifest was at hand; null: not known.';
comment on column census.acknowledgement.surface is 'The finding''s surface; null: not known.';
comment on column census.acknowledgement.kind is 'The finding''s kind; null: not known.';
comment on column census.acknowledgement.app_version is 'The version that was to be released; null: not known.';
