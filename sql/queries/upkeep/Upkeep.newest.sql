-- Whether any observation falls on the 24 hours after $1, by its device's clock.
--
-- Not `exists`, for which the planner may read whole partitions.
select true as is_heard
from census.observation
where occurred_at >= $1
    and occurred_at < $1 + interval '24 hours'
limit 1
