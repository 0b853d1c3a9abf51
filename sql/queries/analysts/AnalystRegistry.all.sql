-- The analysts, with their sessions on this server.
select
    member.rolname::text as analyst,
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
