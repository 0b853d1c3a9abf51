-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares change_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- Which certain placements of app $1 were added and removed, when and why.
beside as (
    -- Every span with those of its placement before and after it.
    select
        device_id,
        zone,
        surface,
        kind,
        coalesce(family, '') as family,
        from_at,
        to_at,
        certain,
        returned,
        began_cause,
        ended_cause,
        lag(to_at) over in_order as to_at_before,
        lag(certain) over in_order as certain_before,
        lag(ended_cause) over in_order as ended_cause_before,
        lead(from_at) over in_order as from_at_after
    from census.counted_span
    where app_number = $1
    window in_order as (
        partition by
            device_id,
            concat_ws(
                chr(31), surface, kind, coalesce(family, chr(30)), coalesce(intent, chr(30)),
                coalesce(configuration, chr(30)), coalesce(instance, chr(30)))
        order by from_at)
),
moved as (
    select
        device_id,
        from_at as at,
        (from_at at time zone zone)::date as day,
        surface,
        kind,
        family,
        certain - case when to_at_before = from_at then certain_before else 0 end as more,
        case when to_at_before = from_at and certain < certain_before then ended_cause_before else began_cause end
            as cause,
        returned
    from beside
    union all
    select
        device_id,
        to_at,
        (to_at at time zone zone)::date,
        surface,
        kind,
        family,
        -certain,
        ended_cause,
        0
    from beside
    where to_at is not null
        and from_at_after is distinct from to_at
),
told_apart as (
    -- Some of what was added may have come back from silence.
    select
        moved.device_id,
        moved.at,
        moved.day,
        moved.surface,
        moved.kind,
        moved.family,
        parts.cause,
        parts.more
    from moved
    cross join lateral (
        select greatest(0, least(moved.more, moved.returned)) as returned
    ) as back
    cross join lateral (
        values
            ('returned', back.returned),
            (moved.cause, moved.more - back.returned)
    ) as parts (cause, more)
),
counted as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        coalesce(sum(more) filter (where more > 0), 0) as widgets_added,
        coalesce(-sum(more) filter (where more < 0), 0) as widgets_removed
    from told_apart
    where more <> 0
        and day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        family,
        cause
),
ledger as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed
    from (
        select
            day,
            surface,
            kind,
            family,
            cause,
            widgets_added,
            widgets_removed
        from census.change_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            family,
            cause,
            widgets_added,
            widgets_removed
        from census.change_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        family,
        cause
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, family, cause) as cell,
        concat_ws(
            ' ',
            ledger.widgets_added,
            ledger.widgets_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted.widgets_added,
            counted.widgets_removed
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, family, cause)
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
