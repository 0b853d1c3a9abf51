-- Whether any observation falls on the day that begins at $1 and ends at $2, by its device's clock.
--
-- Not `exists`, for which the planner may read whole partitions.
select true as is_heard
from census.observation
where occurred_at >= $1
    and occurred_at < $2
limit 1
