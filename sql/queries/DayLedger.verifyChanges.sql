-- Counts what came and went on all closed days of app $1 straight from the spans, each in the zone by which its device is
-- counted, and compares change_day with it.
-- Answers the cells, five at most, in which the two differ, with the numbers of both in the order of the columns.
with ended as (
    -- Every span with the end by which it is counted.
    select
        span.device_id,
        device.zone,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.from_at,
        case when is_silent then least(span.to_at, device.silent_at) else span.to_at end as to_at,
        span.certain,
        span.returned,
        span.began_cause,
        case when is_silent and device.silent_at < coalesce(span.to_at, 'infinity')
            then 'silent' else span.ended_cause end as ended_cause,
        concat_ws(
            chr(31), span.surface, span.kind, coalesce(span.family, chr(30)), coalesce(span.intent, chr(30)),
            coalesce(span.configuration, chr(30)), coalesce(span.instance, chr(30))) as placement
    from census.span
    join census.device
        on device.device_id = span.device_id
    cross join lateral (
        select device.due_at is null or device.silent_at < device.due_at as is_silent
    ) as drawn
    where span.app_number = $1
        -- One that could not be reconciled since the ledger began is not in it.
        and device.zone is not null
),
beside as (
    select
        *,
        lag(to_at) over in_order as to_at_before,
        lag(certain) over in_order as certain_before,
        lag(ended_cause) over in_order as ended_cause_before,
        lead(from_at) over in_order as from_at_after
    from ended
    window in_order as (
        partition by device_id, placement
        order by from_at)
),
moved as (
    select
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
    -- Of what came, some may have come back from silence.
    select
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
            and day in (select day from census.closed_day where app_number = $1)
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
            and day in (select day from census.closed_day where app_number = $1)
    ) as entered
    group by
        day,
        surface,
        kind,
        family,
        cause
)
select
    concat_ws(' ', coalesce(ledger.day::text, counted.day::text), coalesce(ledger.surface::text, counted.surface::text), coalesce(ledger.kind::text, counted.kind::text), coalesce(ledger.family::text, counted.family::text), coalesce(ledger.cause::text, counted.cause::text)) as cell,
    concat_ws(' ', ledger.widgets_added, ledger.widgets_removed) as ledger,
    concat_ws(' ', counted.widgets_added, counted.widgets_removed) as counted
from ledger
full join counted
    on counted.day = ledger.day
    and counted.surface = ledger.surface
    and counted.kind = ledger.kind
    and counted.family = ledger.family
    and counted.cause = ledger.cause
where (coalesce(ledger.widgets_added, 0), coalesce(ledger.widgets_removed, 0))
    is distinct from (coalesce(counted.widgets_added, 0), coalesce(counted.widgets_removed, 0))
limit 5
