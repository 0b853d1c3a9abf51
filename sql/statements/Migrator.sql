-- name: applied
select
    version,
    digest
from census_schema.version
order by version

-- name: begin
-- Locks out other migrators, and creates the table that records what was applied.
-- Two migrators that start on an empty database at the same time both find no schema. The second waits here, then finds it.
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
-- Uses a table on which only the census's roles have rights, because any role can take an advisory lock.
lock table census_schema.version in share row exclusive mode;
-- Limits the wait for other locks, because work queued behind it waits as long.
set local lock_timeout = '10s';
comment on schema census_schema is 'Which migrations were applied.';
comment on table census_schema.version is 'Local. The migrations that were applied; version 0 stands for the views, which are made again when their text changes, and -1 for the states of devices.';
comment on column census_schema.version.version is 'The number in the file''s name.';
comment on column census_schema.version.name is 'The file''s name.';
comment on column census_schema.version.digest is 'SHA-256 of its text; of -1 the newest format that was written, and the rules by which devices are folded.';
comment on column census_schema.version.applied_at is 'When.';

-- name: hasTables
-- Whether our schemas exist already: tables where ours will be, or a schema where our views will be.
select
    exists (
        select 1
        from pg_class
        where relnamespace = to_regnamespace('census')
            and relkind in ('r', 'p'))
    or to_regnamespace('report') is not null as has_tables

-- name: record
insert into census_schema.version (version, name, digest)
values ($1, $2, $3)
on conflict (version) do update set
    name = excluded.name,
    digest = excluded.digest,
    applied_at = now()

-- name: rights
-- The statements that grant the current rights on our views again, because dropping a view removes them.
select
    format(
        'do $right$ begin if to_regclass(%L) is not null then grant %s on %s to %s; end if; end $right$',
        view.oid::regclass::text, entry.privilege_type, view.oid::regclass,
        case when entry.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(entry.grantee)) end) as statement
from pg_class as view
cross join lateral aclexplode(view.relacl) as entry
where view.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
    and view.relkind = 'v'
    and entry.grantee <> view.relowner
order by statement

-- name: state
select to_regclass('census_schema.version') is not null as is_there

-- name: strangers
-- Other people's views that read ours, which then can't be recreated.
select distinct pg_rewrite.ev_class::regclass::text as name
from pg_depend
join pg_rewrite
    on pg_rewrite.oid = pg_depend.objid
join pg_class as ours
    on ours.oid = pg_depend.refobjid
join pg_class as reader
    on reader.oid = pg_rewrite.ev_class
where pg_depend.classid = 'pg_rewrite'::regclass
    and pg_depend.refclassid = 'pg_class'::regclass
    and ours.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
    and reader.relnamespace not in (to_regnamespace('census'), to_regnamespace('report'))
order by name
