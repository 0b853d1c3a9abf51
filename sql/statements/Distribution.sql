-- name: isAvailable
-- Whether this database could have Citus.
select exists (
    select 1
    from pg_available_extensions
    where name = 'citus') as is_available

-- name: isThere
-- Whether this database has Citus.
select exists (
    select 1
    from pg_extension
    where extname = 'citus') as is_there

-- name: readers
-- Makes the reports that read tables on the workers do so through a function with its owner's rights. On the workers Citus
-- checks the rights of the reading role, and analysts have none there. Changes only views that don't do so yet, such as new
-- ones. All of it stays on this node, because a worker whose extension is younger than our schemas has no schema `report`.
do $$
declare
    path constant text := current_setting('search_path');
    view record;
begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    -- With an empty search path, definitions name every schema.
    perform set_config('search_path', 'pg_catalog', true);
    for view in
        select
            report.relname as name,
            'report_' || report.relname as reader,
            pg_get_viewdef(report.oid) as query,
            string_agg(
                format('%I %s', attname, format_type(atttypid, atttypmod)), ', '
                order by attnum) as columns,
            -- A function's columns get the collations of their types.
            string_agg(
                case
                    when attcollation = typcollation then quote_ident(attname)
                    else format('%1$I collate %2$s as %1$I', attname, attcollation::regcollation)
                end, ', '
                order by attnum) as names
        from pg_class as report
        join pg_attribute
            on pg_attribute.attrelid = report.oid
            and attnum > 0
        join pg_type
            on pg_type.oid = pg_attribute.atttypid
        where report.relnamespace = 'report'::regnamespace
            and report.relkind = 'v'
            and exists (
                select 1
                from pg_rewrite
                join pg_depend
                    on pg_depend.classid = 'pg_rewrite'::regclass
                    and pg_depend.objid = pg_rewrite.oid
                where pg_rewrite.ev_class = report.oid
                    and pg_depend.refclassid = 'pg_class'::regclass
                    and obj_description(pg_depend.refobjid, 'pg_class') like 'Device%')
        group by
            report.oid,
            report.relname
    loop
        execute format('drop function if exists census.%I()', view.reader);
        execute format(
            'create function census.%I() returns table (%s) language sql stable security definer set search_path = pg_catalog as %L',
            view.reader, view.columns, view.query);
        execute format(
            'create or replace view report.%I as select %s from census.%I()', view.name, view.names, view.reader);
    end loop;
    perform set_config('search_path', path, true);
    perform set_config('citus.enable_ddl_propagation', 'on', true);
end $$;

-- name: tables
-- The tables of device data, and their size on this node; first the one that the others are colocated with.
select
    pg_class.relname as name,
    exists (
        select 1
        from pg_trigger
        join pg_proc
            on pg_proc.oid = pg_trigger.tgfoid
        where pg_trigger.tgrelid = pg_class.oid
            and pg_proc.proname = 'citus_truncate_trigger') as is_distributed
from pg_class
where pg_class.relnamespace = 'census'::regnamespace
    and pg_class.relkind in ('r', 'p')
    and not pg_class.relispartition
    and obj_description(pg_class.oid, 'pg_class') like 'Device%'
order by
    pg_class.relname <> 'device',
    pg_class.relname
