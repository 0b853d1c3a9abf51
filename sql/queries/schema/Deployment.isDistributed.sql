-- Whether the tables of devices are distributed over the workers of a Citus cluster, which then watches over their truncation.
-- Its own catalogs can't be named here: elsewhere there are none.
select exists (
    select 1
    from pg_trigger
    join pg_proc
        on pg_proc.oid = pg_trigger.tgfoid
    where pg_trigger.tgrelid = to_regclass('census.device')
        and pg_proc.proname = 'citus_truncate_trigger') as is_distributed
