-- name: missing
-- The days from $1 to $2 without a partition.
select listed::date as day
from generate_series($1::date, $2::date, interval '1 day') as listed
where to_regclass('census.observation_' || to_char(listed, 'YYYYMMDD')) is null
order by day

-- name: turn
-- One transaction at a time makes or drops a partition: both lock the table and `observation_other`, in different orders.
lock table census.partitions_lock in exclusive mode
