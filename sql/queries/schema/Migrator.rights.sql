-- Who may read our views, as statements that say so once more: views that are dropped lose their readers.
select
    format(
        'do $right$ begin if to_regclass(%L) is not null then grant %s on %s to %s; end if; end $right$',
        view.oid::regclass::text, entry.privilege_type, view.oid::regclass,
        case when entry.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(entry.grantee)) end) as statement
from pg_class as view
cross join lateral aclexplode(view.relacl) as entry
where view.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
    and view.relkind = 'v'
    and entry.grantee <> view.relowner
order by statement
