-- The partitions of observations, by day.
select to_date(its.day, 'YYYYMMDD') as day
from pg_inherits
join pg_class
    on pg_class.oid = pg_inherits.inhrelid
-- Not a plain comparison: the planner expects one partition then, and looks through all of them for each.
cross join lateral substring(pg_class.relname from '^observation_([0-9]{8})$') as its (day)
where pg_inherits.inhparent = 'census.observation'::regclass
    and its.day is not null
order by day
