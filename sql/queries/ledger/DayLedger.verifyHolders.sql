-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares holder_day with them.
-- Answers at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
edge as (
    -- When certain placements of a kind begin and end on a device, and why.
    select
        device_id,
        zone,
        surface,
        kind,
        from_at as at,
        certain as more,
        case when returned > 0 then 'returned' else began_cause end as began_cause,
        null as ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
    union all
    select
        device_id,
        zone,
        surface,
        kind,
        to_at,
        -certain,
        null,
        ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
        and to_at is not null
),
moment as (
    select
        device_id,
        zone,
        surface,
        kind,
        at,
        sum(more) as more,
        min(began_cause collate "C") as began_cause,
        min(ended_cause collate "C") as ended_cause
    from edge
    group by
        device_id,
        zone,
        surface,
        kind,
        at
),
held as (
    select
        *,
        sum(more) over (partition by device_id, surface, kind order by at) as certain
    from moment
),
counted as (
    select
        (at at time zone zone)::date as day,
        surface,
        kind,
        case when certain > 0 then began_cause else ended_cause end as cause,
        count(*) filter (where certain > 0) as devices_added,
        count(*) filter (where certain = 0) as devices_removed
    from held
    where more <> 0
        and (certain = 0) <> (certain - more = 0)
        and (at at time zone zone)::date in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        case when certain > 0 then began_cause else ended_cause end
),
ledger as (
    select
        day,
        surface,
        kind,
        cause,
        sum(devices_added) as devices_added,
        sum(devices_removed) as devices_removed
    from (
        select
            day,
            surface,
            kind,
            cause,
            devices_added,
            devices_removed
        from census.holder_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            cause,
            devices_added,
            devices_removed
        from census.holder_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        cause
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, cause) as cell,
        concat_ws(
            ' ',
            ledger.devices_added,
            ledger.devices_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_added,
            counted.devices_removed
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, cause)
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
