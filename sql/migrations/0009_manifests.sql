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
