-- Other people's views that read ours, which can't be made again under them.
select distinct pg_rewrite.ev_class::regclass::text as name
from pg_depend
join pg_rewrite
    on pg_rewrite.oid = pg_depend.objid
join pg_class as ours
    on ours.oid = pg_depend.refobjid
join pg_class as reader
    on reader.oid = pg_rewrite.ev_class
where pg_depend.classid = 'pg_rewrite'::regclass
    and pg_depend.refclassid = 'pg_class'::regclass
    and ours.relnamespace in (to_regnamespace('census'), to_regnamespace('report'))
    and reader.relnamespace not in (to_regnamespace('census'), to_regnamespace('report'))
order by name
