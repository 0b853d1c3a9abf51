-- Made by scripts/generate-sql from sql/ledger/apply_level.sql and tables.toml: edit those.
-- Makes levels of the net changes of kind_day_unsettled: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.kind_unsettled_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        devices
),
net as (
    select
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        sum(devices)::bigint as devices
    from taken
    group by
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
touched as (
    select
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.platform,
        touched.os_version,
        touched.claim_rule,
        (sum(net.devices) over so_far)::bigint as devices
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.platform = touched.platform
        and net.os_version = touched.os_version
        and net.claim_rule = touched.claim_rule
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.platform,
            touched.os_version,
            touched.claim_rule
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.platform,
        running.os_version,
        running.claim_rule,
        coalesce(kind_day_unsettled.devices, 0) + running.devices as devices
    from running
    left join census.kind_day_unsettled
        on kind_day_unsettled.app_number = $1
        and kind_day_unsettled.day = running.day
        and kind_day_unsettled.surface = running.surface
        and kind_day_unsettled.kind = running.kind
        and kind_day_unsettled.platform = running.platform
        and kind_day_unsettled.os_version = running.os_version
        and kind_day_unsettled.claim_rule = running.claim_rule
    where running.devices <> 0
)
insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    $1,
    day,
    surface,
    kind,
    platform,
    os_version,
    claim_rule,
    devices
from restated
on conflict (app_number, day, surface, kind, platform, os_version, claim_rule) do update set
    devices = excluded.devices
returning kind_day_unsettled.day
