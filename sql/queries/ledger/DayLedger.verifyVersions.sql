-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- version_day.
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
-- The phases of devices of app $1 that last when the asked day ends, in the app's zone $4.
live_phase as (
    select
        phase.device_id,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        phase.is_reporting and coalesce(phase.lapsed_at, 'infinity') >= its_day.ends_at as is_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when phase.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone phase.zone end as ends_at
    ) as its_day
    where phase.app_number = $1
        and phase.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when phase.to_at is null then true else phase.to_at >= its_day.ends_at end
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
    where held.possible > 0
    group by
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
),
ledger as (
    select
        surface,
        kind,
        app_version,
        os_version,
        platform,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible,
        sum(widgets_certain) as widgets_certain,
        sum(widgets_possible) as widgets_possible
    from (
        select
            surface,
            kind,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible
        from census.version_day
        where app_number = $1
            and day = $2::date
        union all
        select
            surface,
            kind,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible
        from census.version_entry
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        surface,
        kind,
        app_version,
        os_version,
        platform
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', surface, kind, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger.devices_certain,
            ledger.devices_possible,
            ledger.widgets_certain,
            ledger.widgets_possible
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_certain,
            counted.devices_possible,
            counted.widgets_certain,
            counted.widgets_possible
        ) as counted
    from ledger
    full join counted
        using (surface, kind, app_version, os_version, platform)
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
