-- The next devices, after $1 and at most $3, with stored observations from before $2: in the partitions of days before it,
-- and wherever else clocks that were off have put them.
select device_id
from (
    (
        select distinct device_id
        from census.observation
        where device_id > $1
            and occurred_at < $2
            and corrected_at < $2
        order by device_id
        limit $3
    )
    union
    (
        select distinct device_id
        from census.observation
        where device_id > $1
            and corrected_at < occurred_at
            and corrected_at < $2
            and occurred_at >= $2
        order by device_id
        limit $3
    )
) as due
order by device_id
limit $3
