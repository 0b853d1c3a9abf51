-- name: missing
-- The days from $1 to $2 without a partition.
select listed::date as day
from generate_series($1::date, $2::date, interval '1 day') as listed
where to_regclass('census.observation_' || to_char(listed, 'YYYYMMDD')) is null
order by day

-- name: astray
-- The days from $1 to $2 with rows in `observation_other`. Such a day can have a partition nevertheless: an insert that reads
-- the list of partitions while one is attached can keep the old list and pass its check (seen with PostgreSQL 15.18).
select distinct
    (occurred_at at time zone 'UTC')::date as day
from census.observation_other
where occurred_at >= $1::date::timestamp at time zone 'UTC'
    and occurred_at < ($2::date + 1)::timestamp at time zone 'UTC'

-- name: turn
-- One transaction at a time creates or drops a partition, because both lock the table and `observation_other`, in different
-- orders.
lock table census.partitions_lock in exclusive mode
