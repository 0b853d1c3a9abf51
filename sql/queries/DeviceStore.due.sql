-- Devices for which time alone changed, by $1, what they count for: at most $2, by id.
select
    device_id
from (
    select device_id
    from census.device
    where due_at <= $1
    order by due_at
    limit $2
) as due
order by device_id
