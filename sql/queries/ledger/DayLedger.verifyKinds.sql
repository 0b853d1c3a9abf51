-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- kind_day.
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
-- What each device of app $1 may still hold of each kind when the asked day ends although it is silent: what it
-- fell silent with, for a year.
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
        span.surface,
        span.kind
    from silence
    cross join lateral (
        select
            (silence.from_at at time zone silence.zone)::date as first_day,
            (silence.from_at at time zone silence.zone)::date + 365 as expires_on
    ) as its_days
    join census.counted_span as span
        on span.device_id = silence.device_id
        and span.to_at = silence.from_at
        and span.ended_cause = 'silent'
        and span.certain + span.presumed + span.suspect > 0
    where its_days.first_day <= $2::date
        and case when silence.next_at is null then true
            else silence.next_at > silence.from_at
                and (silence.next_at at time zone silence.zone)::date > $2::date end
        and (
            its_days.expires_on > $2::date
            -- It is not due yet, as far as the ledger was told.
            or (
                silence.next_at is null
                and silence.due_at <= its_days.expires_on::timestamp at time zone silence.zone
            )
        )
),
-- What each device holds of each kind when the day ends.
held as (
    select
        surface,
        kind,
        device_id,
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
        surface,
        kind,
        device_id
),
counted as (
    select
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
        surface,
        kind
),
ledger as (
    select
        surface,
        kind,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible,
        sum(devices_still_there) as devices_still_there,
        sum(devices_reported) as devices_reported,
        sum(devices_silent) as devices_silent,
        sum(widgets_certain) as widgets_certain,
        sum(widgets_possible) as widgets_possible,
        sum(widgets_reported) as widgets_reported,
        sum(widgets_suspect) as widgets_suspect,
        sum(widgets_gone) as widgets_gone,
        sum(widgets_still_there) as widgets_still_there
    from (
        select
            surface,
            kind,
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
        from census.kind_day
        where app_number = $1
            and day = $2::date
        union all
        select
            surface,
            kind,
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
            and day <= $2::date
    ) as entered
    group by
        surface,
        kind
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', surface, kind) as cell,
        concat_ws(
            ' ',
            ledger.devices_certain,
            ledger.devices_possible,
            ledger.devices_still_there,
            ledger.devices_reported,
            ledger.devices_silent,
            ledger.widgets_certain,
            ledger.widgets_possible,
            ledger.widgets_reported,
            ledger.widgets_suspect,
            ledger.widgets_gone,
            ledger.widgets_still_there
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_certain,
            counted.devices_possible,
            counted.devices_still_there,
            counted.devices_reported,
            counted.devices_silent,
            counted.widgets_certain,
            counted.widgets_possible,
            counted.widgets_reported,
            counted.widgets_suspect,
            counted.widgets_gone,
            counted.widgets_still_there
        ) as counted
    from ledger
    full join counted
        using (surface, kind)
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
