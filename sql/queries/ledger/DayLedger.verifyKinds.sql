-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- kind_day.
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
-- What each device of app $1 may still hold of each kind although it is silent: what it fell silent with, for a year.
-- From the first to the last of the asked days on which it does.
silence as (
    select
        device_id,
        zone,
        due_at,
        to_at as from_at,
        lead(from_at) over (partition by device_id order by from_at) as next_at
    from census.counted_phase
    where app_number = $1
),
silent as (
    select distinct
        silence.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind
    from silence
    cross join lateral (
        select (silence.from_at at time zone silence.zone)::date + 365 as expires_on
    ) as its_end
    cross join lateral (
        select
            width_bucket(its_end.expires_on - 366, $2::date[]) + 1 as first,
            least(
                width_bucket((silence.next_at at time zone silence.zone)::date - 1, $2::date[]),
                -- It is not due yet, as far as the ledger was told.
                case when silence.next_at is null
                        and silence.due_at <= its_end.expires_on::timestamp at time zone silence.zone
                    then cardinality($2::date[])
                    else width_bucket(its_end.expires_on - 1, $2::date[]) end
            ) as last
    ) as its_days
    join census.counted_span as span
        on span.device_id = silence.device_id
        and span.to_at = silence.from_at
        and span.ended_cause = 'silent'
        and span.certain + span.presumed + span.suspect > 0
    where its_days.first <= its_days.last
        and case when silence.next_at is null then true else silence.next_at > silence.from_at end
),
-- What each device holds of each kind in each stretch.
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        sum(certain) as certain,
        sum(certain + presumed + suspect) as possible,
        sum(reported) as reported,
        sum(suspect) as suspect,
        sum(suspect - still_there) as gone,
        sum(still_there) as still_there,
        bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[claim_platform, claim_os_version, claim_rule]
            order by
                claim_platform collate "C" desc,
                claim_os_version collate "C" desc,
                claim_rule collate "C" desc
        ) filter (where suspect > 0 and still_there is null))[1:1] as claim
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind
),
counted as (
    select
        first,
        last,
        surface,
        kind,
        count(*) filter (where certain > 0) as devices_certain,
        count(*) filter (where possible > 0) as devices_possible,
        count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
        count(*) filter (where reported > 0) as devices_reported,
        coalesce(sum(silent), 0) as devices_silent,
        sum(certain) as widgets_certain,
        sum(possible) as widgets_possible,
        sum(reported) as widgets_reported,
        sum(suspect) as widgets_suspect,
        coalesce(sum(gone), 0) as widgets_gone,
        coalesce(sum(still_there), 0) as widgets_still_there
    from (
        select
            first,
            last,
            surface,
            kind,
            certain,
            possible,
            is_still_there,
            reported,
            suspect,
            gone,
            still_there,
            0 as silent
        from held
        union all
        select
            first,
            last,
            surface,
            kind,
            0,
            0,
            false,
            0,
            0,
            0,
            0,
            1
        from silent
    ) as counted_once
    group by
        first,
        last,
        surface,
        kind
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        change.sign * devices_certain as counted_devices_certain,
        change.sign * devices_possible as counted_devices_possible,
        change.sign * devices_still_there as counted_devices_still_there,
        change.sign * devices_reported as counted_devices_reported,
        change.sign * devices_silent as counted_devices_silent,
        change.sign * widgets_certain as counted_widgets_certain,
        change.sign * widgets_possible as counted_widgets_possible,
        change.sign * widgets_reported as counted_widgets_reported,
        change.sign * widgets_suspect as counted_widgets_suspect,
        change.sign * widgets_gone as counted_widgets_gone,
        change.sign * widgets_still_there as counted_widgets_still_there,
        0 as ledger_devices_certain,
        0 as ledger_devices_possible,
        0 as ledger_devices_still_there,
        0 as ledger_devices_reported,
        0 as ledger_devices_silent,
        0 as ledger_widgets_certain,
        0 as ledger_widgets_possible,
        0 as ledger_widgets_reported,
        0 as ledger_widgets_suspect,
        0 as ledger_widgets_gone,
        0 as ledger_widgets_still_there
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        change.sign * devices_certain,
        change.sign * devices_possible,
        change.sign * devices_still_there,
        change.sign * devices_reported,
        change.sign * devices_silent,
        change.sign * widgets_certain,
        change.sign * widgets_possible,
        change.sign * widgets_reported,
        change.sign * widgets_suspect,
        change.sign * widgets_gone,
        change.sign * widgets_still_there
    from census.kind_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        devices_certain,
        devices_possible,
        devices_still_there,
        devices_reported,
        devices_silent,
        widgets_certain,
        widgets_possible,
        widgets_reported,
        widgets_suspect,
        widgets_gone,
        widgets_still_there
    from census.kind_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
        sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
        sum(sum(counted_devices_still_there)) over so_far as counted_devices_still_there,
        sum(sum(counted_devices_reported)) over so_far as counted_devices_reported,
        sum(sum(counted_devices_silent)) over so_far as counted_devices_silent,
        sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
        sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
        sum(sum(counted_widgets_reported)) over so_far as counted_widgets_reported,
        sum(sum(counted_widgets_suspect)) over so_far as counted_widgets_suspect,
        sum(sum(counted_widgets_gone)) over so_far as counted_widgets_gone,
        sum(sum(counted_widgets_still_there)) over so_far as counted_widgets_still_there,
        sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
        sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
        sum(sum(ledger_devices_still_there)) over so_far as ledger_devices_still_there,
        sum(sum(ledger_devices_reported)) over so_far as ledger_devices_reported,
        sum(sum(ledger_devices_silent)) over so_far as ledger_devices_silent,
        sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
        sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible,
        sum(sum(ledger_widgets_reported)) over so_far as ledger_widgets_reported,
        sum(sum(ledger_widgets_suspect)) over so_far as ledger_widgets_suspect,
        sum(sum(ledger_widgets_gone)) over so_far as ledger_widgets_gone,
        sum(sum(ledger_widgets_still_there)) over so_far as ledger_widgets_still_there
    from changed
    group by
        position,
        surface,
        kind
    window so_far as (
        partition by
            surface,
            kind
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind) as cell,
        concat_ws(
            ' ',
            ledger_devices_certain,
            ledger_devices_possible,
            ledger_devices_still_there,
            ledger_devices_reported,
            ledger_devices_silent,
            ledger_widgets_certain,
            ledger_widgets_possible,
            ledger_widgets_reported,
            ledger_widgets_suspect,
            ledger_widgets_gone,
            ledger_widgets_still_there
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_certain,
            counted_devices_possible,
            counted_devices_still_there,
            counted_devices_reported,
            counted_devices_silent,
            counted_widgets_certain,
            counted_widgets_possible,
            counted_widgets_reported,
            counted_widgets_suspect,
            counted_widgets_gone,
            counted_widgets_still_there
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
