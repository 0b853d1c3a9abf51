-- The next devices of app $1 after $2, with how each was counted: at most $3, and no more once they have $4 spans.
select
    device_id,
    silent_at,
    reporting_until,
    due_at,
    zone,
    legacy_kinds
from (
    select
        *,
        sum(last_ordinal) over (
            order by device_id
            rows between unbounded preceding and current row
        ) as spans_through
    from (
        select
            device_id,
            silent_at,
            reporting_until,
            due_at,
            zone,
            legacy_kinds,
            last_ordinal
        from census.device
        where app_number = $1
            and device_id > $2
            and zone is not null
        order by device_id
        limit $3
    ) as next
) as counted
where spans_through - last_ordinal < $4
order by device_id
