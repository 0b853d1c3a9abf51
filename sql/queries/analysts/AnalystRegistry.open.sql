-- Opens the reports of this database to the group of analysts, and nothing else. Changes only what is missing.
--
-- Analysts may do what everybody may. So where the database is ours, only roles with business in the schema census may still
-- make tables in it. Where it is not ours, AnalystRegistry.gaps says what is left to an administrator.
do $$
declare
    grantee text;
    is_ours boolean;
begin
    if to_regrole('widget_census_analyst') is null then
        begin
            create role widget_census_analyst nologin;
            comment on role widget_census_analyst is 'Reads the reports of Widget Census.';
        exception when duplicate_object or unique_violation then
            null; -- Somebody else did, at the same time.
        end;
    end if;
    if not has_schema_privilege('widget_census_analyst', 'report', 'usage') then
        grant usage on schema report to widget_census_analyst;
    end if;
    if has_schema_privilege('public', 'census', 'usage') or has_schema_privilege('public', 'census', 'create') then
        revoke all on schema census from public;
    end if;

    select pg_has_role(current_user, datdba, 'usage') into is_ours
    from pg_database
    where datname = current_database();
    if not is_ours then
        return;
    end if;
    if has_database_privilege('public', current_database(), 'temporary') then
        -- Phones' events pass through temporary tables, so roles that store them must still be able to make some.
        for grantee in
            select pg_get_userbyid(entry.grantee)
            from pg_namespace,
                aclexplode(coalesce(nspacl, acldefault('n', nspowner))) as entry
            where nspname = 'census'
                and entry.grantee <> 0
            group by entry.grantee
        loop
            execute format('grant temporary on database %I to %I', current_database(), grantee);
        end loop;
        execute format('revoke temporary on database %I from public', current_database());
    end if;
    if to_regnamespace('public') is not null then
        if has_schema_privilege('public', 'public', 'create') then
            revoke create on schema public from public;
        end if;
    end if;
    -- A large object is a table that needs no schema; only a superuser can close the functions that make one.
    if has_function_privilege('public', 'lo_create(oid)', 'execute') and (
        select rolsuper
        from pg_roles
        where rolname = current_user
    ) then
        revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
    end if;
end $$;
