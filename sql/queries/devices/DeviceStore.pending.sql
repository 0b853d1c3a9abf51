-- How many entries the reconciler's queue has, counted up to $1: a figure for monitoring, which must stay cheap when the
-- queue is long.
select count(*) as pending
from (
    select 1
    from census.pending_device
    limit $1
) as counted
