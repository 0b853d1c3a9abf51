-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- overlap_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
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
),
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
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        other_kind,
        change.sign * devices as counted_devices,
        0 as ledger_devices
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        other_kind,
        0,
        change.sign * devices
    from census.overlap_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        other_kind,
        0,
        devices
    from census.overlap_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        other_kind,
        sum(sum(counted_devices)) over so_far as counted_devices,
        sum(sum(ledger_devices)) over so_far as ledger_devices
    from changed
    group by
        position,
        surface,
        kind,
        other_kind
    window so_far as (
        partition by
            surface,
            kind,
            other_kind
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, other_kind) as cell,
        concat_ws(
            ' ',
            ledger_devices
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number
