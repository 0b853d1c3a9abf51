-- Texts in keys and indexes sort by their bytes. Under the database's own collation another version of the operating system
-- sorts them differently, an index then misses rows that it has, and the same cell, event or name is stored a second time.
--
-- No table is rewritten: only the indexes on these columns are built again. Views that read them can't stay, and are made again
-- after the migrations.

do $$
declare
    views text;
    tables text;
    altered record;
    copies bigint;
    is_doubted boolean := false;
begin
    -- One index may already have missed rows: nothing here trusts any of them.
    perform set_config('enable_indexscan', 'off', true);
    perform set_config('enable_indexonlyscan', 'off', true);
    perform set_config('enable_bitmapscan', 'off', true);

    select string_agg(oid::regclass::text, ', ') into views
    from pg_class
    where relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
        and relkind = 'v';
    if views is not null then
        execute 'drop view ' || views;
    end if;

    create temporary table altered_table on commit drop as
    select
        pg_class.oid,
        pg_class.relname,
        string_agg(
            distinct format('alter column %I type %s collate "C"', attname, format_type(atttypid, atttypmod)), ', ') as columns
    from pg_index
    join pg_class
        on pg_class.oid = pg_index.indrelid
    join pg_attribute
        on pg_attribute.attrelid = pg_class.oid
        and pg_attribute.attnum = any(pg_index.indkey::smallint[])
    where pg_class.relnamespace in ('census'::regnamespace, 'census_schema'::regnamespace)
        and not pg_class.relispartition
        and pg_attribute.attcollation not in (0, 'pg_catalog."C"'::regcollation)
    group by
        pg_class.oid,
        pg_class.relname;

    -- All at once, and first the one that phones' events are written to: whoever holds it takes no other lock that is waited for here.
    select string_agg(oid::regclass::text, ', ' order by relname <> 'observation', relname) into tables
    from altered_table;
    if tables is null then
        return;
    end if;
    execute 'lock table ' || tables || ' in access exclusive mode';

    for altered in
        select
            altered_table.oid::regclass as name,
            altered_table.relname,
            altered_table.columns,
            (
                select string_agg(format('%I%s', attname, case when attcollation <> 0 then ' collate "C"' else '' end), ', ')
                from pg_index
                join pg_attribute
                    on attrelid = indrelid
                    and attnum = any(indkey::smallint[])
                where indrelid = altered_table.oid
                    and indisprimary
            ) as key,
            exists (
                select 1
                from pg_attribute
                where attrelid = altered_table.oid
                    and attname = 'received_at') as is_received,
            exists (
                select 1
                from pg_attribute
                where attrelid = altered_table.oid
                    and attname = 'app_number') as is_of_app
        from altered_table
        order by altered_table.relname
    loop
        begin
            execute format('alter table %s %s', altered.name, altered.columns);
        exception when unique_violation then
            if altered.relname = 'app' then
                raise exception 'two apps have the same id: rename or remove one in census.app, and migrate again'
                    using errcode = 'unique_violation';
            end if;
            -- Of equal keys the first to arrive stands. What is counted from them is counted again.
            if altered.is_of_app then
                execute format(
                    'insert into census.app_night (app_number, is_doubted) '
                    'select app_number, true from (select app_number from %s group by app_number, %s having count(*) > 1) as twice '
                    'group by app_number order by app_number '
                    'on conflict (app_number) do update set is_doubted = excluded.is_doubted',
                    altered.name, altered.key);
                is_doubted := true;
            end if;
            execute format(
                'delete from %1$s as copy using ('
                'select tableoid, ctid, row_number() over (partition by %2$s order by %3$s ctid) as copy_number from %1$s) as ranked '
                'where ranked.copy_number > 1 and ranked.tableoid = copy.tableoid and ranked.ctid = copy.ctid',
                altered.name, altered.key, case when altered.is_received then 'received_at, ' else '' end);
            get diagnostics copies = row_count;
            raise notice '% rows of % stood twice', copies, altered.name;
            execute format('alter table %s %s', altered.name, altered.columns);
        end;
    end loop;

    -- Devices of doubted apps are folded from their observations first, as nights do that find wrong numbers.
    if is_doubted then
        insert into census.pending_device (app_number, device_id)
        select
            app_number,
            device_id
        from census.device
        where app_number in (
            select app_night.app_number
            from census.app_night
            where app_night.is_doubted);
    end if;

    perform set_config('enable_indexscan', 'on', true);
    perform set_config('enable_indexonlyscan', 'on', true);
    perform set_config('enable_bitmapscan', 'on', true);
end $$;
