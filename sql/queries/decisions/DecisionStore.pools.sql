-- For each of kinds $3 on surfaces $2 of app $1: how many silent devices may hold it, by the day on which they stop counting;
-- and, in a row without a day, how many active ones also hold the kind $4 that replaces it, where there is one.
with listed as (
    select
        surface,
        kind,
        replaced_by
    from unnest($2::text[], $3::text[], $4::text[]) as listed (surface, kind, replaced_by)
),
-- Spans are drawn ahead: one that time will end has its end already.
lasting as not materialized (
    select
        device_id,
        surface,
        kind,
        certain
    from census.span
    where app_number = $1
        and from_at <= now()
        and coalesce(to_at, 'infinity') > now()
        and certain + presumed + suspect > 0
),
held as not materialized (
    select
        lasting.device_id,
        lasting.surface,
        lasting.kind,
        listed.replaced_by,
        device.silent_at,
        device.zone
    from listed
    join lasting
        on lasting.surface = listed.surface
        and lasting.kind = listed.kind
    join census.device
        on device.device_id = lasting.device_id
)
select
    surface,
    kind,
    (silent_at at time zone zone)::date + 365 as expires_on,
    count(distinct device_id) as devices
from held
where silent_at <= now()
    -- Others have been silent for more than a year.
    and silent_at > now() - interval '366 days'
group by
    surface,
    kind,
    expires_on
union all
select
    surface,
    kind,
    null,
    count(distinct device_id)
from held
where silent_at > now()
    and replaced_by is not null
    and exists (
        select 1
        from lasting as other
        where other.device_id = held.device_id
            and other.surface = held.surface
            and other.kind = held.replaced_by
            and other.certain > 0)
group by
    surface,
    kind
