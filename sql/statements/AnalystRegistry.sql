-- name: add
-- Creates the named analyst. Rights come from the group; the settings only guard against accidents.
do $$
declare
    analyst constant text := current_setting('widget_census.analyst');
begin
    execute format(
        'create role %I login password %L in role widget_census_analyst',
        analyst, current_setting('widget_census.verifier'));
    execute format('alter role %I set default_transaction_read_only = on', analyst);
    execute format('alter role %I set statement_timeout = %L', analyst, '60s');
    -- A transaction left open would block vacuum and `migrate`.
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', analyst, '60s');
    execute format('alter role %I set search_path = report', analyst);
end $$;

-- name: all
-- The analysts, with their sessions on this server.
select
    member.rolname::text as name,
    (
        select count(*)
        from pg_stat_activity
        where usesysid = member.oid
    ) as sessions
from pg_auth_members
join pg_roles as member
    on member.oid = pg_auth_members.member
where pg_auth_members.roleid = to_regrole('widget_census_analyst')
    and member.rolcanlogin
group by
    member.oid,
    member.rolname
order by member.rolname

-- name: close
-- Revokes the named analyst's login. Commit before ending sessions: until then new ones can begin.
do $$
begin
    execute format('alter role %I nologin', current_setting('widget_census.analyst'));
end $$;

-- name: gaps
-- What analysts can do here beyond reading reports because every role can, and what they can use without limit, each as the SQL
-- with which an administrator ends it.
select format(
    'grant temporary on database %1$I to %2$I; revoke temporary on database %1$I from public;',
    current_database(), pg_get_userbyid(nspowner)) as statement
from pg_namespace
where nspname = 'census'
    and has_database_privilege('widget_census_analyst', current_database(), 'temporary')
union all
select 'revoke create on schema public from public;'
from pg_namespace
where nspname = 'public'
    and has_schema_privilege('widget_census_analyst', oid, 'create')
union all
select 'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;'
where has_function_privilege('widget_census_analyst', 'lo_create(oid)', 'execute')
union all
(
    select format('alter role %I set temp_file_limit = ''4GB'';', member.rolname)
    from pg_auth_members
    join pg_roles as member
        on member.oid = pg_auth_members.member
    where pg_auth_members.roleid = to_regrole('widget_census_analyst')
        and member.rolcanlogin
        and not member.rolsuper
        and not exists (select 1 from unnest(member.rolconfig) as setting where setting like 'temp_file_limit=%')
    order by member.rolname
)

-- name: grant
-- Lets analysts read the views that they can't read yet: new and recreated ones. Only if the reports were opened to them,
-- because roles belong to the whole server, and analysts of another database must not read these reports.
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

-- name: isAnalyst
-- Whether $1 is an analyst, or was one until its login was revoked: its settings are those that AnalystRegistry.add makes.
select exists (
    select 1
    from pg_auth_members
    join pg_roles as member
        on member.oid = pg_auth_members.member
    where pg_auth_members.roleid = to_regrole('widget_census_analyst')
        and member.rolname = $1
        and (member.rolcanlogin or 'search_path=report' = any(member.rolconfig))) as is_analyst

-- name: isOpen
-- Whether analysts may read the reports of this database.
select coalesce(has_schema_privilege(to_regrole('widget_census_analyst')::oid, 'report', 'usage'), false) as is_open

-- name: limit
-- Limits each analyst's connections, and disk for sorting. Only a superuser can set the second; otherwise AnalystRegistry.gaps
-- reports it. Keeps limits that somebody chose. Another command can do the same at the same time, or drop the role.
do $$
declare
    analyst record;
begin
    for analyst in
        select
            member.rolname as name,
            member.rolconnlimit as connections,
            member.rolconfig as settings
        from pg_auth_members
        join pg_roles as member
            on member.oid = pg_auth_members.member
        where pg_auth_members.roleid = to_regrole('widget_census_analyst')
            and member.rolcanlogin
            and not member.rolsuper
        order by member.rolname
    loop
        if analyst.connections = -1 then
            begin
                execute format('alter role %I connection limit 20', analyst.name);
            exception when insufficient_privilege or undefined_object or internal_error then
                null;
            end;
        end if;
        if not exists (select 1 from unnest(analyst.settings) as setting where setting like 'temp_file_limit=%') then
            begin
                execute format('alter role %I set temp_file_limit = %L', analyst.name, '4GB');
            exception when insufficient_privilege or undefined_object or internal_error then
                null;
            end;
        end if;
    end loop;
end $$;

-- name: name
-- Names the analyst and the password's verifier for the statements that take no parameters.
select
    set_config('widget_census.analyst', $1, true) as analyst,
    set_config('widget_census.verifier', $2, true) as verifier

-- name: open
-- Opens the reports of this database, and nothing else, to the group of analysts. Changes only what is missing.
--
-- Analysts have every right of the role public. So if we own the database, only roles with rights in the schema census can
-- still create tables in it. If we don't, AnalystRegistry.gaps reports what is left to an administrator.
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
        -- Phones' events pass through temporary tables, so roles that store them must still be able to create those.
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
    -- A large object needs no schema to write to; only a superuser can revoke the functions that create one.
    if has_function_privilege('public', 'lo_create(oid)', 'execute') and (
        select rolsuper
        from pg_roles
        where rolname = current_user
    ) then
        revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
    end if;
end $$;

-- name: remove
-- Drops the named analyst, whose login is revoked, and ends sessions that began before the revocation was visible.
do $$
declare
    analyst constant text := current_setting('widget_census.analyst');
begin
    begin
        perform pg_terminate_backend(pid, 5000)
        from pg_stat_activity
        where usename = analyst;
    exception when insufficient_privilege then
        null;
    end;
    execute format('drop role %I', analyst);
end $$;
