-- The partitions of observations, by day.
select to_date(right(relname, 8), 'YYYYMMDD') as day
from pg_inherits
join pg_class
    on pg_class.oid = inhrelid
where inhparent = 'census.observation'::regclass
    and relname ~ '^observation_[0-9]{8}$'
order by day
