-- What analysts may do here beyond reading reports because everybody may, as SQL that an administrator runs to end it.
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
