-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- overlap_day.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
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
),
held as (
    select distinct
        device_id,
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
        held.surface,
        held.kind,
        other.kind as other_kind,
        count(*) as devices
    from held
    join held as other
        on other.device_id = held.device_id
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
        held.surface,
        held.kind,
        other.kind
),
ledger as (
    select
        surface,
        kind,
        other_kind,
        sum(devices) as devices
    from (
        select
            surface,
            kind,
            other_kind,
            devices
        from census.overlap_day
        where app_number = $1
            and day = $2::date
        union all
        select
            surface,
            kind,
            other_kind,
            devices
        from census.overlap_entry
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        surface,
        kind,
        other_kind
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', surface, kind, other_kind) as cell,
        concat_ws(
            ' ',
            ledger.devices
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices
        ) as counted
    from ledger
    full join counted
        using (surface, kind, other_kind)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5
