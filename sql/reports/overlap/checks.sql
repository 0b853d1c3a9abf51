-- What holds of overlap on any database, beside what its grain says; found: violations.
-- Harm: update census.overlap_day set devices = 1000000
select
    'fail' as severity,
    'no more devices hold both than hold one' as claim,
    count(*) as found
from report.overlap
where not (devices_with_both between 1 and devices_with_kind)
union all
-- Harm: delete from census.kind_day where kind = 'kind 1'
select
    'fail' as severity,
    'each pair is there in both orders' as claim,
    count(*) as found
from report.overlap
left join report.overlap as turned
    on turned.app_id = overlap.app_id
    and turned.day = overlap.day
    and turned.surface = overlap.surface
    and turned.kind = overlap.other_kind
    and turned.other_kind = overlap.kind
where turned.devices_with_both is distinct from overlap.devices_with_both
