-- Whether this database has Citus.
select exists (
    select 1
    from pg_extension
    where extname = 'citus') as is_there
