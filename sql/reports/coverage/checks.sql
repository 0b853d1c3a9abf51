-- Claims about coverage that hold on any database; found: violations.
-- Harm: update census.app set app_id = 'com.example.weather'
select
    'fail' as severity,
    'one row per closed day' as claim,
    count(*) as found
from (
    select
        app.app_id,
        closed_day.day
    from census.closed_day
    join census.app
        on app.app_number = closed_day.app_number
    left join report.coverage
        on coverage.app_id = app.app_id
        and coverage.day = closed_day.day
    group by
        app.app_id,
        closed_day.day
    having count(coverage.day) <> 1
) as different
union all
-- Harm: update census.device_day set devices_cloned = 1001
select
    'fail' as severity,
    'no number of devices exceeds devices_active' as claim,
    count(*) as found
from report.coverage
where not (
    devices_reporting between 0 and devices_active
    and devices_cloned between 0 and devices_active
    and coalesce(policy_applied, 0) between 0 and devices_active)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'share_reporting = devices_reporting / devices_active' as claim,
    count(*) as found
from report.coverage
where share_reporting is distinct from round(devices_reporting::numeric / nullif(devices_active, 0), 4)
union all
-- Harm: update census.device_day set devices_active = 10
select
    'fail' as severity,
    'no kind has more devices than are active' as claim,
    count(*) as found
from report.coverage
join report.live_kinds
    on live_kinds.app_id = coverage.app_id
    and live_kinds.day = coverage.day
where live_kinds.devices_possible > coverage.devices_active
union all
-- Harm: update census.read_quarter set reads_failed = 1001
select
    'fail' as severity,
    '0 <= reads_failed <= reads' as claim,
    count(*) as found
from report.coverage
where not (0 <= reads_failed and reads_failed <= reads)
union all
-- Harm: update census.read_quarter set reads_failed = reads
select
    'warn' as severity,
    'on a day with at least 20 reads, at most half failed' as claim,
    count(*) as found
from report.coverage
where reads >= 20
    and reads_failed > reads / 2.0
