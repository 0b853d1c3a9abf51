-- A manifest can leave a kind's intent open, as it can its families. Stored manifests keep their meaning: until now, an absent intent
-- was a static configuration.
alter table census.manifest_kind
    add column states_intent boolean not null default true;

comment on column census.manifest_kind.intent is
    'Class name of the configuration intent; null: a static configuration, or none stated.';
comment on column census.manifest_kind.states_intent is
    'Whether the manifest states the intent; otherwise it can be any, or none.';
