-- The widgets of kind $3 on surface $2 of app $1 that were added and removed since $4, by day and cause.
select
    day,
    cause,
    sum(widgets_added)::bigint as widgets_added,
    sum(widgets_removed)::bigint as widgets_removed
from report.changes
where app_id = $1
    and surface = $2
    and kind = $3
    and day >= $4
group by
    day,
    cause
order by
    day,
    cause
