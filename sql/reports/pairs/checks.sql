-- Claims about pairs that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.overlap_day set devices = 1000000
select
    'fail' as severity,
    'no more devices have both kinds than have one' as claim,
    count(*) as found
from report.pairs
where not (devices_with_both between 1 and devices_with_kind)
union all
-- Harm: delete from census.kind_day where kind = 'kind 1'
select
    'fail' as severity,
    'each pair appears in both orders' as claim,
    count(*) as found
from (
    select 1
    from report.pairs
    group by
        app_id,
        day,
        surface,
        least(kind, other_kind),
        greatest(kind, other_kind)
    having count(*) <> 2
        or min(devices_with_both) <> max(devices_with_both)
) as pair
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'at most 50 kinds of a surface are paired' as claim,
    count(*) as found
from (
    select 1
    from report.pairs
    group by
        app_id,
        day,
        surface
    having count(distinct kind) > 50
) as surface
