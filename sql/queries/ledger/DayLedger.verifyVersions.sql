-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- version_day.
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
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
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
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible
    from held
    join live_phase
        on live_phase.device_id = held.device_id
        and live_phase.first <= held.last
        and live_phase.last >= held.first
    cross join lateral (
        select
            greatest(live_phase.first, held.first) as first,
            least(live_phase.last, held.last) as last
    ) as its_days
    where held.possible > 0
    group by
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        change.sign * devices_certain as counted_devices_certain,
        change.sign * devices_possible as counted_devices_possible,
        change.sign * widgets_certain as counted_widgets_certain,
        change.sign * widgets_possible as counted_widgets_possible,
        0 as ledger_devices_certain,
        0 as ledger_devices_possible,
        0 as ledger_widgets_certain,
        0 as ledger_widgets_possible
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        change.sign * devices_certain,
        change.sign * devices_possible,
        change.sign * widgets_certain,
        change.sign * widgets_possible
    from census.version_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible
    from census.version_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
        sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
        sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
        sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
        sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
        sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
        sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
        sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible
    from changed
    group by
        position,
        surface,
        kind,
        app_version,
        os_version,
        platform
    window so_far as (
        partition by
            surface,
            kind,
            app_version,
            os_version,
            platform
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger_devices_certain,
            ledger_devices_possible,
            ledger_widgets_certain,
            ledger_widgets_possible
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_certain,
            counted_devices_possible,
            counted_widgets_certain,
            counted_widgets_possible
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
