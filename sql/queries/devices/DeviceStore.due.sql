-- At most $2 devices whose counts time alone changed by $1, and none after states of $3 bytes; by id.
select
    device_id
from (
    select
        device_id,
        octet_length(checkpoint) as bytes,
        sum(octet_length(checkpoint)) over (
            order by due_at, device_id
            rows between unbounded preceding and current row
        ) as bytes_through
    from (
        select
            device_id,
            due_at,
            checkpoint
        from census.device
        where due_at <= $1
        order by due_at, device_id
        limit $2
    ) as next
) as due
where coalesce(bytes_through, 0) - coalesce(bytes, 0) < $3
order by device_id
