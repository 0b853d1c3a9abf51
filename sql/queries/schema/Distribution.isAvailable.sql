-- Whether this database could have Citus.
select exists (
    select 1
    from pg_available_extensions
    where name = 'citus') as is_available
