-- name: begin
-- The first caller sets the fingerprint; every caller gets the stored one. A concurrent caller waits here and gets the stored
-- one, too; `do nothing` would return no row.
insert into census.deployment as held (secret_fingerprint)
values ($1)
on conflict (is_single) do update set
    secret_fingerprint = held.secret_fingerprint
returning secret_fingerprint

-- name: fingerprint
-- The fingerprint of the secret that this database was first used with.
select secret_fingerprint
from census.deployment

-- name: isDistributed
-- Whether the device tables are distributed over the workers of a Citus cluster, which then has a trigger on their truncation.
-- Doesn't name Citus's catalogs, which don't exist without it.
select exists (
    select 1
    from pg_trigger
    join pg_proc
        on pg_proc.oid = pg_trigger.tgfoid
    where pg_trigger.tgrelid = to_regclass('census.device')
        and pg_proc.proname = 'citus_truncate_trigger') as is_distributed

-- name: knowsCollations
-- Whether this server keeps the version of each database's collation, as PostgreSQL 15 and newer do.
select current_setting('server_version_num')::integer >= 150000 as knows_collations

-- name: staleCollations
-- Collations that sort differently than when their version was recorded, because the operating system or ICU was upgraded.
-- First the database's own, which has no name; then those of indexes. Needs PostgreSQL 15 or newer.
with indexed as materialized (
    select distinct unnest(indcollation::oid[]) as collation_oid
    from pg_index
)
select
    current_database()::text as database,
    null::text as name,
    datcollate::text as locale,
    datcollversion as then,
    pg_database_collation_actual_version(oid) as now
from pg_database
where datname = current_database()
    and datcollversion <> pg_database_collation_actual_version(oid)
union all
select
    current_database()::text,
    oid::regcollation::text,
    collname::text,
    collversion,
    pg_collation_actual_version(oid)
from pg_collation
where oid in (select collation_oid from indexed)
    and collprovider <> 'd'
    and collversion <> pg_collation_actual_version(oid)
order by name nulls first

-- name: unsafeSettings
-- Settings of the server itself with which a crash can lose committed data.
select name
from pg_settings
where name in ('fsync', 'full_page_writes')
    and setting = 'off'
order by name

-- name: writable
-- What prevents storing events: a standby, a read-only server, rights that this role lacks.
--
-- Returns one row. Reads only the catalog, because health probes run it every few seconds.
select
    pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only,
    (
        select coalesce(array_agg(needed.right_name || ' on ' || needed.table_name order by needed.table_name, needed.right_name), '{}')
        from (
            values
                ('census.observation', 'insert'),
                ('census.observation', 'select'),
                ('census.pending_device', 'insert'),
                ('census.read_entry', 'insert'),
                ('census.refused', 'insert'),
                ('census.warned', 'insert'),
                ('census.warned', 'select'),
                ('census.warned', 'update'),
                ('census.known_name', 'insert'),
                ('census.known_name', 'select'),
                ('census.forgotten', 'select'),
                ('census.app', 'select'),
                ('census.api_key', 'select')) as needed (table_name, right_name)
        where not coalesce(has_table_privilege(to_regclass(needed.table_name), needed.right_name), false)
    ) || case when has_database_privilege(current_database(), 'temporary') then '{}'::text[] else array['temporary on the database'] end as missing_rights
