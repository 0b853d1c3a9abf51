week_end as (
    select day
    from census.closed_day
    where app_number = $1
        and extract(isodow from day) = 7
),
-- What each device of a cohort holds when each week ends.
held as (
    select
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day,
        coalesce(bool_or(span.certain > 0), false)::integer as certain,
        coalesce(bool_or(span.certain + span.presumed + span.suspect > 0), false)::integer as possible
    from census.device_cohort as cohort
    join week_end
        on week_end.day >= cohort.week + 6
    left join census.counted_span as span
        on span.device_id = cohort.device_id
        and span.surface = cohort.surface
        and span.kind = cohort.kind
        and span.from_at < (week_end.day + 1)::timestamp at time zone span.zone
        and coalesce(span.to_at, 'infinity') >= (week_end.day + 1)::timestamp at time zone span.zone
    where cohort.app_number = $1
    group by
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day
),
changed as (
    select
        surface,
        kind,
        week,
        day,
        case when day = week + 6 then 1 else 0 end as placed,
        certain - coalesce(lag(certain) over in_order, 0) as certain,
        possible - coalesce(lag(possible) over in_order, 0) as possible
    from held
    window in_order as (
        partition by
            device_id,
            surface,
            kind
        order by day)
),
counted as (
    select
        day,
        surface,
        kind,
        week,
        sum(placed) as devices_placed,
        sum(certain) as devices_certain,
        sum(possible) as devices_possible
    from changed
    group by
        day,
        surface,
        kind,
        week
)
