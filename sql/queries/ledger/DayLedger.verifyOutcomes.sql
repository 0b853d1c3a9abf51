-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares outcome_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
settled as (
    -- The last span of each suspicion: a boot ended it (R6), or the use of one of its suspects did (R7), or it says so
    -- itself.
    select
        -- A device that waits to be counted again has no zone of its own.
        (span.to_at at time zone coalesce(device.zone, app.zone))::date as day,
        claim_platform as platform,
        coalesce(claim_os_version, '') as os_version,
        claim_rule,
        case when ended_rule = 'reboot' then suspect
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else settled end as settled,
        case when ended_rule = 'reboot' then still_there
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else greatest(0, still_there - (suspect - settled)) end as still_there,
        floor(extract(epoch from to_at - from_at)) as seconds
    from census.span
    join census.app
        on app.app_number = span.app_number
    left join census.device
        on device.device_id = span.device_id
    where span.app_number = $1
        and still_there is not null
        and to_at is not null
        and (ended_rule = 'reboot' or settled > 0 or (ended_rule = 'sign_of_life' and certain > 0))
),
counted as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(settled) as suspects_settled,
        sum(still_there) as suspects_still_there,
        sum(settled * seconds) as suspect_seconds
    from settled
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        platform,
        os_version,
        claim_rule
),
ledger as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(suspects_settled) as suspects_settled,
        sum(suspects_still_there) as suspects_still_there,
        sum(suspect_seconds) as suspect_seconds
    from (
        select
            day,
            platform,
            os_version,
            claim_rule,
            suspects_settled,
            suspects_still_there,
            suspect_seconds
        from census.outcome_day
        where app_number = $1
        union all
        select
            day,
            platform,
            os_version,
            claim_rule,
            suspects_settled,
            suspects_still_there,
            suspect_seconds
        from census.outcome_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        platform,
        os_version,
        claim_rule
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, platform, os_version, claim_rule) as cell,
        concat_ws(
            ' ',
            ledger.suspects_settled,
            ledger.suspects_still_there,
            ledger.suspect_seconds
        ) as ledger,
        concat_ws(
            ' ',
            counted.suspects_settled,
            counted.suspects_still_there,
            counted.suspect_seconds
        ) as counted
    from ledger
    full join counted
        using (day, platform, os_version, claim_rule)
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
