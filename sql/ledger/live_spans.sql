-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
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
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
)
