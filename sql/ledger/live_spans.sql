-- The spans of app $1 that are live when the asked day ends, in the app's zone $4.
live_span as (
    select
        span.device_id,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when span.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone span.zone end as ends_at
    ) as its_day
    where span.app_number = $1
        and span.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when span.to_at is null then true else span.to_at >= its_day.ends_at end
)
