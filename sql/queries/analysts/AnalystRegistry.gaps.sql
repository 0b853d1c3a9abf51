-- What analysts may do here beyond reading reports because everybody may, and what they may use without limit, as SQL that an
-- administrator runs to end it.
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
