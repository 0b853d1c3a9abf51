-- Of each of kinds $3 on surfaces $2 of app $1: how many silent devices may hold it, by the day on which they count no longer,
-- and how many active ones also hold the kind $4 that replaces it.
with listed as (
    select
        surface,
        kind,
        replaced_by
    from unnest($2::text[], $3::text[], $4::text[]) as listed (surface, kind, replaced_by)
),
held as materialized (
    select
        span.device_id,
        span.surface,
        span.kind,
        case
            when device.silent_at <= now() then (device.silent_at at time zone device.zone)::date + 365
        end as expires_on,
        bool_or(span.certain > 0) as is_certain
    from census.span
    join census.device
        on device.device_id = span.device_id
        -- Others have been silent for more than a year.
        and device.silent_at > now() - interval '366 days'
    where span.app_number = $1
        and span.kind = any($3::text[] || $4::text[])
        -- Spans are drawn ahead: one that time will end has its end already.
        and span.from_at <= now()
        and coalesce(span.to_at, 'infinity') > now()
        and span.certain + span.presumed + span.suspect > 0
    group by
        span.device_id,
        span.surface,
        span.kind,
        device.silent_at,
        device.zone
)
select
    listed.surface,
    listed.kind,
    held.expires_on,
    count(*) as devices,
    count(other.device_id) as devices_with_replacement
from listed
join held
    on held.surface = listed.surface
    and held.kind = listed.kind
left join held as other
    on other.device_id = held.device_id
    and other.surface = held.surface
    and other.kind = listed.replaced_by
    and other.is_certain
group by
    listed.surface,
    listed.kind,
    held.expires_on
