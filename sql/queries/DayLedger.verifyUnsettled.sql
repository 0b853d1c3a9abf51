-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from the spans, and compares kind_day_unsettled with it.
-- Answers the cells, five at most, in which the two differ, with the numbers of both in the order of the columns.
with held as (
    select
        span.surface,
        span.kind,
        span.device_id,
        sum(span.certain) as certain,
        sum(span.certain + span.presumed + span.suspect) as possible,
        sum(span.reported) as reported,
        sum(span.suspect) as suspect,
        sum(span.suspect - span.still_there) as gone,
        sum(span.still_there) as still_there,
        bool_or(span.presumed > 0 or coalesce(span.still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[span.claim_platform, coalesce(span.claim_os_version, ''), span.claim_rule]
            order by
                span.claim_platform collate "C" desc,
                coalesce(span.claim_os_version, '') collate "C" desc,
                span.claim_rule collate "C" desc
        ) filter (where span.suspect > 0 and span.still_there is null))[1:1] as claim
    from census.span
    join census.device
        on device.device_id = span.device_id
    -- One that waits for its zone is counted by the days of another.
    cross join lateral (
        select case when device.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone device.zone end as ends_at
    ) as its_day
    where span.app_number = $1
        -- One that could not be reconciled since the ledger began is not in it.
        and device.zone is not null
        and span.from_at < its_day.ends_at
        -- A device that fell silent is counted until that is entered.
        and case when device.due_at is null or device.silent_at < device.due_at
            then least(span.to_at, device.silent_at) >= its_day.ends_at
            else span.to_at is null or span.to_at >= its_day.ends_at
        end
    group by
        span.surface,
        span.kind,
        span.device_id
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
            and day = $2
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
            and day <= $2
    ) as entered
    group by
        surface,
        kind,
        platform,
        os_version,
        claim_rule
)
select
    concat_ws(' ', coalesce(ledger.surface::text, counted.surface::text), coalesce(ledger.kind::text, counted.kind::text), coalesce(ledger.platform::text, counted.platform::text), coalesce(ledger.os_version::text, counted.os_version::text), coalesce(ledger.claim_rule::text, counted.claim_rule::text)) as cell,
    concat_ws(' ', ledger.devices) as ledger,
    concat_ws(' ', counted.devices) as counted
from ledger
full join counted
    on counted.surface = ledger.surface
    and counted.kind = ledger.kind
    and counted.platform = ledger.platform
    and counted.os_version = ledger.os_version
    and counted.claim_rule = ledger.claim_rule
where (coalesce(ledger.devices, 0))
    is distinct from (coalesce(counted.devices, 0))
limit 5
