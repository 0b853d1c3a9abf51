-- When a device of app $1 began to hold a kind for certain, or stopped.
edge as (
    -- When certain placements of a kind begin and end on a device, and why.
    select
        device_id,
        zone,
        surface,
        kind,
        from_at as at,
        certain as more,
        case when returned > 0 then 'returned' else began_cause end as began_cause,
        null as ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
    union all
    select
        device_id,
        zone,
        surface,
        kind,
        to_at,
        -certain,
        null,
        ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
        and to_at is not null
),
moment as (
    select
        device_id,
        zone,
        surface,
        kind,
        at,
        sum(more) as more,
        min(began_cause collate "C") as began_cause,
        min(ended_cause collate "C") as ended_cause
    from edge
    group by
        device_id,
        zone,
        surface,
        kind,
        at
),
held as (
    select
        *,
        sum(more) over (partition by device_id, surface, kind order by at) as certain
    from moment
)
