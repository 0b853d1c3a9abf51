-- Limits what each analyst can use up: connections of the server, and disk for sorting. Only a superuser can set the second, which
-- AnalystRegistry.gaps then leaves to one. A limit that somebody chose stands. Another command may do the same, or drop the role.
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
