-- The next devices, after $1 and through $2, at most $4, with stored observations from before $3 by their clock or by ours.
-- is_ahead: some of them lie elsewhere than in the partitions of days before $3, where clocks that were ahead have put them.
select
    device_id,
    bool_or(is_ahead) as is_ahead
from (
    (
        -- From the primary key alone: looking at each row took a sixth of a night's work on old days.
        select distinct
            device_id,
            false as is_ahead
        from census.observation
        where device_id > $1
            and device_id <= $2
            and occurred_at < $3
        order by device_id
        limit $4
    )
    union all
    (
        select distinct
            device_id,
            true as is_ahead
        from census.observation
        where device_id > $1
            and device_id <= $2
            and corrected_at < occurred_at
            and corrected_at < $3
            and occurred_at >= $3
        order by device_id
        limit $4
    )
) as due
group by device_id
order by device_id
limit $4
