{include live_spans},
{include silent_kinds},
{include held_kinds},
counted as (
    select
        first,
        last,
        surface,
        kind,
        count(*) filter (where certain > 0) as devices_certain,
        count(*) filter (where possible > 0) as devices_possible,
        count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
        count(*) filter (where reported > 0) as devices_reported,
        coalesce(sum(silent), 0) as devices_silent,
        sum(certain) as widgets_certain,
        sum(possible) as widgets_possible,
        sum(reported) as widgets_reported,
        sum(suspect) as widgets_suspect,
        coalesce(sum(gone), 0) as widgets_gone,
        coalesce(sum(still_there), 0) as widgets_still_there
    from (
        select
            first,
            last,
            surface,
            kind,
            certain,
            possible,
            is_still_there,
            reported,
            suspect,
            gone,
            still_there,
            0 as silent
        from held
        union all
        select
            first,
            last,
            surface,
            kind,
            0,
            0,
            false,
            0,
            0,
            0,
            0,
            1
        from silent
    ) as counted_once
    group by
        first,
        last,
        surface,
        kind
)
