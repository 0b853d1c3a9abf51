-- Claims about usage that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.use_day set devices = events + 1
select
    'fail' as severity,
    'every counted device sent an event' as claim,
    count(*) as found
from report.usage
where not (devices between 1 and events)
union all
-- Harm: update census.use_day set use = 'heard' where use = 'opened'
select
    'fail' as severity,
    'every event is known' as claim,
    count(*) as found
from report.usage
where event not in ('opened', 'configured', 'rendered')
