-- Claims about retirement that hold on any database; found: violations.
-- Harm: update census.readiness set verdict = 'surely'; update census.readiness set day = current_date
--   where day = (select max(day) from census.readiness)
select
    'fail' as severity,
    'a verdict is ready, not ready, unknown or retired' as claim,
    count(*) as found
from report.retirement
where verdict not in ('ready', 'not ready', 'unknown', 'retired')
    or verdict is null
    or reason is null
union all
-- Harm: update census.readiness set verdict = 'ready', devices_silent = 100; update census.readiness set day = current_date
--   where day = (select max(day) from census.readiness)
select
    'fail' as severity,
    'a kind is ready only if it has no more holders than the limit' as claim,
    count(*) as found
from report.retirement
where verdict = 'ready'
    and devices_possible + devices_silent > limit_devices
union all
-- Harm: update census.readiness set devices_expected = 1000
select
    'fail' as severity,
    'devices_certain <= devices_expected <= devices_possible' as claim,
    count(*) as found
from report.retirement
where not (0 <= devices_certain and devices_certain <= devices_expected and devices_expected <= devices_possible)
union all
-- Harm: update census.readiness set ready_on_earliest = ready_on + 1
select
    'fail' as severity,
    'ready_on and half_life_days are within their intervals' as claim,
    count(*) as found
from report.retirement
where ready_on not between ready_on_earliest and coalesce(ready_on_latest, 'infinity')
    or half_life_days not between half_life_low and coalesce(half_life_high, 'infinity')
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'a verdict older than the last day that has ended is unknown' as claim,
    count(*) as found
from report.retirement
join census.app
    on app.app_id = retirement.app_id
where retirement.verdict in ('ready', 'not ready')
    and not exists (
        select 1
        from census.readiness
        where readiness.app_number = app.app_number
            and readiness.surface = retirement.surface
            and readiness.kind = retirement.kind
            and readiness.day >= (now() at time zone app.zone)::date - 1)
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'every kind that is legacy or retired has a row' as claim,
    count(*) as found
from (
    select distinct on (app_number, surface, kind)
        app_number,
        surface,
        kind,
        lifecycle
    from census.kind_act
    order by
        app_number,
        surface,
        kind,
        act_number desc
) as act
join census.app
    on app.app_number = act.app_number
left join report.retirement
    on retirement.app_id = app.app_id
    and retirement.surface = act.surface
    and retirement.kind = act.kind
where (act.lifecycle <> 'active') <> (retirement.kind is not null)
