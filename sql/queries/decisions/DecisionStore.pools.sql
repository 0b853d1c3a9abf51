-- Of each of kinds $3 on surfaces $2 of app $1: how many silent devices may hold it, by the day on which they count no longer,
-- and how many active ones also hold the kind $4 that replaces it.
with listed as (
    select
        surface,
        kind,
        replaced_by
    from unnest($2::text[], $3::text[], $4::text[]) as listed (surface, kind, replaced_by)
),
held as (
    select
        span.device_id,
        span.surface,
        span.kind,
        span.silent_at,
        sum(span.certain) > 0 as is_certain
    from (
        select
            span.device_id,
            span.surface,
            span.kind,
            span.certain,
            case when device.silent_at <= now() then (device.silent_at at time zone device.zone)::date end as silent_at
        from census.span
        join census.device
            on device.device_id = span.device_id
        where span.app_number = $1
            -- Spans are drawn ahead: one that time will end has its end already.
            and span.from_at <= now()
            and coalesce(span.to_at, 'infinity') > now()
            and span.kind = any($3::text[] || $4::text[])
            and span.certain + span.presumed + span.suspect > 0
    ) as span
    group by
        span.device_id,
        span.surface,
        span.kind,
        span.silent_at
)
select
    listed.surface,
    listed.kind,
    held.silent_at + 365 as expires_on,
    count(*) as devices,
    count(*) filter (
        where exists (
            select
            from held as other
            where other.device_id = held.device_id
                and other.surface = held.surface
                and other.kind = listed.replaced_by
                and other.is_certain)) as devices_with_replacement
from listed
join held
    on held.surface = listed.surface
    and held.kind = listed.kind
group by
    listed.surface,
    listed.kind,
    held.silent_at
