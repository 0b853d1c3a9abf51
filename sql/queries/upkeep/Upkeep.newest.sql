-- The last of days $1 on which, by its device's clock, any observation falls; each begins at the time beside it in $2.
select listed.day
from unnest($1::date[], $2::timestamptz[]) as listed (day, begins_at)
-- Not `exists`, for which the planner may read whole partitions.
cross join lateral (
    select 1 as one
    from census.observation
    where occurred_at >= listed.begins_at
        and occurred_at < listed.begins_at + interval '24 hours'
    limit 1
) as heard
order by listed.day desc
limit 1
