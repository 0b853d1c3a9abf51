-- Made by scripts/generate-sql from sql/ledger/compare_flow.sql and tables.toml: edit those.
-- Counts all closed days of app $1 straight from the spans, and compares move_day with them.
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
-- When a device of app $1 began to hold a kind for certain, or stopped.
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
happened as (
    select
        device_id,
        at,
        day,
        surface,
        kind,
        cause,
        greatest(more, 0) as widgets_added,
        greatest(-more, 0) as widgets_removed,
        0 as devices_added,
        0 as devices_removed
    from told_apart
    where more <> 0
    union all
    select
        device_id,
        at,
        (at at time zone zone)::date,
        surface,
        kind,
        case when certain > 0 then began_cause else ended_cause end,
        0,
        0,
        case when certain > 0 then 1 else 0 end,
        case when certain > 0 then 0 else 1 end
    from held
    where more <> 0
        and (certain = 0) <> (certain - more = 0)
),
ran as (
    -- The phase that had begun last at each moment, else the first one.
    select distinct on (moment.device_id, moment.at)
        moment.device_id,
        moment.at,
        phase.app_version,
        phase.os_version,
        phase.platform
    from (
        select distinct
            device_id,
            at
        from happened
    ) as moment
    join census.phase
        on phase.device_id = moment.device_id
    order by
        moment.device_id,
        moment.at,
        phase.from_at <= moment.at desc,
        abs(extract(epoch from phase.from_at - moment.at))
),
counted as (
    select
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, '') as app_version,
        coalesce(ran.os_version, '') as os_version,
        coalesce(ran.platform, '') as platform,
        sum(happened.widgets_added) as widgets_added,
        sum(happened.widgets_removed) as widgets_removed,
        sum(happened.devices_added) as devices_added,
        sum(happened.devices_removed) as devices_removed
    from happened
    left join ran
        on ran.device_id = happened.device_id
        and ran.at = happened.at
    where happened.day in (select day from census.closed_day where app_number = $1)
    group by
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, ''),
        coalesce(ran.os_version, ''),
        coalesce(ran.platform, '')
),
ledger as (
    select
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed,
        sum(devices_added) as devices_added,
        sum(devices_removed) as devices_removed
    from (
        select
            day,
            surface,
            kind,
            cause,
            app_version,
            os_version,
            platform,
            widgets_added,
            widgets_removed,
            devices_added,
            devices_removed
        from census.move_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            cause,
            app_version,
            os_version,
            platform,
            widgets_added,
            widgets_removed,
            devices_added,
            devices_removed
        from census.move_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, cause, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger.widgets_added,
            ledger.widgets_removed,
            ledger.devices_added,
            ledger.devices_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted.widgets_added,
            counted.widgets_removed,
            counted.devices_added,
            counted.devices_removed
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, cause, app_version, os_version, platform)
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
