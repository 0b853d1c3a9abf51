-- The widgets of kind $3 on surface $2 of app $1 that the OS reported and that might have been stale, by day since $4.
select
    day,
    widgets_suspect,
    widgets_gone,
    widgets_still_there
from report.ghosts
where app_id = $1
    and surface = $2
    and kind = $3
    and day >= $4
order by day
