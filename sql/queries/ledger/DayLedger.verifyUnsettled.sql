-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- kind_day_unsettled.
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
        claim[1][1] as platform,
        claim[1][2] as os_version,
        claim[1][3] as claim_rule,
        count(*) as devices
    from held
    where certain = 0
        and not is_still_there
        and claim is not null
    group by
        surface,
        kind,
        claim[1][1],
        claim[1][2],
        claim[1][3]
),
ledger as (
    select
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        sum(devices) as devices
    from (
        select
            surface,
            kind,
            platform,
            os_version,
            claim_rule,
            devices
        from census.kind_day_unsettled
        where app_number = $1
            and day = $2::date
        union all
        select
            surface,
            kind,
            platform,
            os_version,
            claim_rule,
            devices
        from census.kind_unsettled_entry
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', surface, kind, platform, os_version, claim_rule) as cell,
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
        using (surface, kind, platform, os_version, claim_rule)
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
