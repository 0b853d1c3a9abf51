-- What holds of usage on any database, beside what its grain says; found: violations.
-- Harm: update census.use_day set devices = events + 1
select
    'fail' as severity,
    'every device that is counted sent an event' as claim,
    count(*) as found
from report.usage
where not (devices between 1 and events)
union all
-- Harm: update census.use_day set use = 'heard' where use = 'opened'
select
    'fail' as severity,
    'every event is a known one' as claim,
    count(*) as found
from report.usage
where event not in ('opened', 'configured', 'rendered')
