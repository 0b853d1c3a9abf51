-- The days from $1 to $2 without a partition.
select listed::date as day
from generate_series($1::date, $2::date, interval '1 day') as listed
where to_regclass('census.observation_' || to_char(listed, 'YYYYMMDD')) is null
order by day
