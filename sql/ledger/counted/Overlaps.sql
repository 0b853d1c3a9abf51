{include live_spans},
held as (
    select distinct
        device_id,
        first,
        last,
        surface,
        kind
    from live_span
    where certain > 0
),
-- In the order in which they were marked; a device is counted for the first of them.
legacy as (
    select
        surface,
        kind,
        row_number() over (order by min(act_number)) as position
    from census.kind_act
    where app_number = $1
        and lifecycle <> 'active'
    group by
        surface,
        kind
),
counted as (
    select
        held.first,
        held.last,
        held.surface,
        held.kind,
        other.kind as other_kind,
        count(*) as devices
    from held
    join held as other
        on other.device_id = held.device_id
        and other.first = held.first
        and other.surface = held.surface
        and other.kind collate "C" > held.kind collate "C"
    join census.device
        on device.device_id = held.device_id
    where exists (
        select 1
        from legacy
        where legacy.surface = held.surface
            and legacy.kind in (held.kind, other.kind)
            and legacy.position <= device.legacy_kinds)
    group by
        held.first,
        held.last,
        held.surface,
        held.kind,
        other.kind
)
