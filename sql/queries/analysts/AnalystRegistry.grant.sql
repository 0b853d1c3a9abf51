-- Lets analysts read the views that they can't read yet: new and recreated ones. Only where the reports were opened to them:
-- roles belong to the whole server, and another database's analysts have no business here.
do $$
declare
    view regclass;
begin
    if to_regrole('widget_census_analyst') is null then
        return;
    end if;
    if not has_schema_privilege('widget_census_analyst', 'report', 'usage') then
        return;
    end if;
    for view in
        select oid
        from pg_class
        where relnamespace = 'report'::regnamespace
            and relkind in ('v', 'm')
            and not has_table_privilege('widget_census_analyst', oid, 'select')
    loop
        execute format('grant select on %s to widget_census_analyst', view);
    end loop;
end $$;
