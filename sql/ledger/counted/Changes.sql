{include moved_widgets},
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
)
