-- Whether this database has Citus, and whether it could have it.
select
    exists (
        select 1
        from pg_extension
        where extname = 'citus') as is_there,
    exists (
        select 1
        from pg_available_extensions
        where name = 'citus') as is_available
