-- For how many devices of app $1 the state is known, by day since $2.
select
    day,
    devices_active,
    devices_reporting,
    reads,
    reads_failed,
    devices_cloned,
    policy_applied
from report.coverage
where app_id = $1
    and day >= $2
order by day
