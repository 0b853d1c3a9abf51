-- One migrator at a time, and a table that records what was done.
-- Two that begin an empty database at once both find no schema: the second waits for the first here, and then finds it.
do $$
begin
    create schema if not exists census_schema;
exception when unique_violation or duplicate_schema then
    null;
end $$;
do $$
begin
    create table if not exists census_schema.version (
        version integer primary key,
        name text not null,
        digest text not null,
        applied_at timestamptz not null default now()
    );
exception when unique_violation or duplicate_table then
    null;
end $$;
-- A table that only the census's roles have rights on: any role can take an advisory lock.
lock table census_schema.version in share row exclusive mode;
-- Limits the wait for other locks: work queued behind it is held up as long.
set local lock_timeout = '10s';
comment on schema census_schema is 'Which migrations were applied.';
comment on table census_schema.version is 'Local. The migrations that were applied; version 0 stands for the views, which are made again when their text changes, and -1 for the states of devices.';
comment on column census_schema.version.version is 'The number in the file''s name.';
comment on column census_schema.version.name is 'The file''s name.';
comment on column census_schema.version.digest is 'SHA-256 of its text; of -1 the newest format that was written, and the rules by which devices are folded.';
comment on column census_schema.version.applied_at is 'When.';
