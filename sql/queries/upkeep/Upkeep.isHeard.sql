-- Whether any observation falls between $1 and $2, the starts of days, by its device's clock.
--
-- Not `exists`, for which the planner may read whole partitions.
select true as is_heard
from census.observation
where occurred_at >= $1
    and occurred_at < $2
limit 1
