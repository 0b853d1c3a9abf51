-- Collations that sort otherwise than when they were last looked at: another version of the operating system or of ICU came.
-- First the database's own, which has no name of its own; then those of indexes. Only from PostgreSQL 15 on.
with indexed as materialized (
    select distinct unnest(indcollation::oid[]) as collation_oid
    from pg_index
)
select
    null::text as name,
    datcollate::text as locale,
    datcollversion as then_version,
    pg_database_collation_actual_version(oid) as now_version
from pg_database
where datname = current_database()
    and datcollversion <> pg_database_collation_actual_version(oid)
union all
select
    oid::regcollation::text,
    collname::text,
    collversion,
    pg_collation_actual_version(oid)
from pg_collation
where oid in (select collation_oid from indexed)
    and collprovider <> 'd'
    and collversion <> pg_collation_actual_version(oid)
order by name nulls first
