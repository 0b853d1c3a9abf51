-- How many widgets people placed and removed each week, without changes that only look like it: reinstallations, silence, edits.
select
    app_id,
    surface,
    kind,
    date_trunc('week', day)::date as week,
    sum(widgets_added) filter (where cause = 'installed')::bigint as placed,
    sum(widgets_removed) filter (where cause = 'removed')::bigint as taken_away,
    sum(widgets_removed) filter (where cause = 'upgrade_loss')::bigint as lost_by_updates
from {{ source('report', 'changes') }}
group by app_id, surface, kind, date_trunc('week', day)
