-- Claims about active that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.active_day set devices_daily = devices_in_window + 1
select
    'fail' as severity,
    'devices_daily <= devices_weekly <= devices_in_window' as claim,
    count(*) as found
from report.active
where not (0 <= devices_daily and devices_daily <= devices_weekly and devices_weekly <= devices_in_window)
union all
-- Harm: update census.active_day set devices_in_window = devices_in_window + 1 where scope = 'all'
select
    'fail' as severity,
    'all devices in the window add up to devices_active of coverage' as claim,
    count(*) as found
from (
    select
        app_id,
        day,
        sum(devices_in_window) as devices_in_window
    from report.active
    where surface is null
    group by
        app_id,
        day
) as everyone
full join (
    select
        app_id,
        day,
        devices_active
    from report.coverage
    where devices_active > 0
) as covered
    using (app_id, day)
where everyone.devices_in_window is distinct from covered.devices_active
union all
-- Harm: update census.active_day set devices_in_window = devices_in_window + 1 where scope = 'kind'
select
    'fail' as severity,
    'the devices of a kind in the window add up to devices_certain of live_kinds' as claim,
    count(*) as found
from (
    select
        app_number,
        day,
        surface,
        kind,
        sum(devices_in_window) as devices_in_window
    from census.active_day
    where scope = 'kind'
    group by
        app_number,
        day,
        surface,
        kind
    having sum(devices_in_window) > 0
) as active
full join (
    select
        app_number,
        day,
        surface,
        kind,
        devices_certain
    from census.kind_day
    where devices_certain > 0
) as held
    using (app_number, day, surface, kind)
where active.devices_in_window is distinct from held.devices_certain
union all
-- Harm: update census.active_day set devices_weekly = 1000000 where scope = 'kind_family'
select
    'fail' as severity,
    'no family of a kind has more devices than the kind, and no kind has more than its surface' as claim,
    count(*) as found
from census.active_day as part
join census.active_day as whole
    on whole.app_number = part.app_number
    and whole.day = part.day
    and whole.platform = part.platform
    and whole.scope = case part.scope when 'kind_family' then 'kind' when 'surface' then 'all' else 'surface' end
    and whole.surface = case part.scope when 'surface' then '' else part.surface end
    and whole.kind = case part.scope when 'kind_family' then part.kind else '' end
    and whole.family = ''
where part.scope <> 'all'
    and (
        part.devices_daily > whole.devices_daily
        or part.devices_weekly > whole.devices_weekly
        or part.devices_in_window > whole.devices_in_window
    )
