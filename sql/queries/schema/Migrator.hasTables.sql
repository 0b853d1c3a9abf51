-- Whether there are tables where ours are to be, or a schema where our views are.
select
    exists (
        select 1
        from pg_class
        where relnamespace = to_regnamespace('census')
            and relkind in ('r', 'p'))
    or to_regnamespace('report') is not null as has_tables
