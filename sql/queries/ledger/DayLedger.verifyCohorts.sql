-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares cohort_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
week_end as (
    select day
    from census.closed_day
    where app_number = $1
        and extract(isodow from day) = 7
),
-- What each device of a cohort holds when each week ends.
held as (
    select
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day,
        coalesce(bool_or(span.certain > 0), false)::integer as certain,
        coalesce(bool_or(span.certain + span.presumed + span.suspect > 0), false)::integer as possible
    from census.device_cohort as cohort
    join week_end
        on week_end.day >= cohort.week + 6
    left join census.counted_span as span
        on span.device_id = cohort.device_id
        and span.surface = cohort.surface
        and span.kind = cohort.kind
        and span.from_at < (week_end.day + 1)::timestamp at time zone span.zone
        and coalesce(span.to_at, 'infinity') >= (week_end.day + 1)::timestamp at time zone span.zone
    where cohort.app_number = $1
    group by
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day
),
changed as (
    select
        surface,
        kind,
        week,
        day,
        case when day = week + 6 then 1 else 0 end as placed,
        certain - coalesce(lag(certain) over in_order, 0) as certain,
        possible - coalesce(lag(possible) over in_order, 0) as possible
    from held
    window in_order as (
        partition by
            device_id,
            surface,
            kind
        order by day)
),
counted as (
    select
        day,
        surface,
        kind,
        week,
        sum(placed) as devices_placed,
        sum(certain) as devices_certain,
        sum(possible) as devices_possible
    from changed
    group by
        day,
        surface,
        kind,
        week
),
ledger as (
    select
        day,
        surface,
        kind,
        week,
        sum(devices_placed) as devices_placed,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible
    from (
        select
            day,
            surface,
            kind,
            week,
            devices_placed,
            devices_certain,
            devices_possible
        from census.cohort_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            week,
            devices_placed,
            devices_certain,
            devices_possible
        from census.cohort_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        week
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, week) as cell,
        concat_ws(
            ' ',
            ledger.devices_placed,
            ledger.devices_certain,
            ledger.devices_possible
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_placed,
            counted.devices_certain,
            counted.devices_possible
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, week)
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
