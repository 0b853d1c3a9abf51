-- Claims about ghosts that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.kind_day set widgets_gone = widgets_suspect
select
    'fail' as severity,
    'widgets_gone + widgets_still_there <= widgets_suspect' as claim,
    count(*) as found
from report.ghosts
where not (
    0 <= widgets_gone and 0 <= widgets_still_there and widgets_gone + widgets_still_there <= widgets_suspect)
union all
-- Harm: update census.kind_day set widgets_suspect = widgets_suspect + 1
select
    'fail' as severity,
    'live_kinds counts suspects as possible, not certain' as claim,
    count(*) as found
from report.ghosts
left join report.live_kinds
    on live_kinds.app_id = ghosts.app_id
    and live_kinds.day = ghosts.day
    and live_kinds.surface = ghosts.surface
    and live_kinds.kind = ghosts.kind
where ghosts.widgets_suspect > coalesce(live_kinds.widgets_possible - live_kinds.widgets_certain, 0)
