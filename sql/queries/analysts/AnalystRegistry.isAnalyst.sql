-- Whether $1 is an analyst, or was one until its login was taken: its settings are those that AnalystRegistry.add makes.
select exists (
    select 1
    from pg_auth_members
    join pg_roles as member
        on member.oid = pg_auth_members.member
    where pg_auth_members.roleid = to_regrole('widget_census_analyst')
        and member.rolname = $1
        and (member.rolcanlogin or 'search_path=report' = any(member.rolconfig))) as is_analyst
