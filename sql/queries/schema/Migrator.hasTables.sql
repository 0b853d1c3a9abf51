-- Whether there are tables where ours are to be.
select
    exists (
        select 1
        from pg_class
        where relnamespace = to_regnamespace('census')
            and relkind in ('r', 'p')) as has_tables
