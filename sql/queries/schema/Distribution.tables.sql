-- The tables of device data, and what they take on this node; first the one beside which the others are placed.
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
