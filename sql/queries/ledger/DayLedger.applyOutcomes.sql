-- Made by scripts/generate-sql from sql/ledger/apply_flow.sql and tables.toml: edit those.
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to outcome_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.outcome_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        platform,
        os_version,
        claim_rule,
        suspects_settled,
        suspects_still_there,
        suspect_seconds
),
net as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(suspects_settled)::bigint as suspects_settled,
        sum(suspects_still_there)::bigint as suspects_still_there,
        sum(suspect_seconds)::bigint as suspect_seconds
    from taken
    group by
        day,
        platform,
        os_version,
        claim_rule
)
insert into census.outcome_day (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds)
select
    $1,
    net.day,
    net.platform,
    net.os_version,
    net.claim_rule,
    coalesce(outcome_day.suspects_settled, 0) + net.suspects_settled,
    coalesce(outcome_day.suspects_still_there, 0) + net.suspects_still_there,
    coalesce(outcome_day.suspect_seconds, 0) + net.suspect_seconds
from net
left join census.outcome_day
    on outcome_day.app_number = $1
    and outcome_day.day = net.day
    and outcome_day.platform = net.platform
    and outcome_day.os_version = net.os_version
    and outcome_day.claim_rule = net.claim_rule
where net.suspects_settled <> 0
    or net.suspects_still_there <> 0
    or net.suspect_seconds <> 0
on conflict (app_number, day, platform, os_version, claim_rule) do update set
    suspects_settled = excluded.suspects_settled,
    suspects_still_there = excluded.suspects_still_there,
    suspect_seconds = excluded.suspect_seconds
returning outcome_day.day
