-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares use_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
counted as (
    select
        device_use.month + done.day_of_month - 1 as day,
        device_use.surface,
        device_use.kind,
        device_use.use,
        count(*) as devices,
        sum(done.events) as events
    from census.device_use
    cross join lateral unnest(device_use.days, device_use.events) as done (day_of_month, events)
    where device_use.app_number = $1
        and device_use.use <> 'heard'
        and device_use.month + done.day_of_month - 1 in (select day from census.closed_day where app_number = $1)
    group by
        device_use.month + done.day_of_month - 1,
        device_use.surface,
        device_use.kind,
        device_use.use
),
ledger as (
    select
        day,
        surface,
        kind,
        use,
        sum(devices) as devices,
        sum(events) as events
    from (
        select
            day,
            surface,
            kind,
            use,
            devices,
            events
        from census.use_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            use,
            devices,
            events
        from census.use_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        use
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, use) as cell,
        concat_ws(
            ' ',
            ledger.devices,
            ledger.events
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices,
            counted.events
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, use)
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
