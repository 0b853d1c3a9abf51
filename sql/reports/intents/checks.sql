-- Claims about intents that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.intent_day set devices_certain = devices_possible + 1
select
    'fail' as severity,
    '0 <= devices_certain <= devices_possible' as claim,
    count(*) as found
from report.intents
where not (0 <= devices_certain and devices_certain <= devices_possible and 0 <= device_configurations)
union all
-- Harm: update census.intent_day set devices_certain = 1000000, devices_possible = 1000000
select
    'fail' as severity,
    'no more devices certainly have an intent than the kind' as claim,
    count(*) as found
from report.intents
left join report.live_kinds
    on live_kinds.app_id = intents.app_id
    and live_kinds.day = intents.day
    and live_kinds.surface = intents.surface
    and live_kinds.kind = intents.kind
where intents.devices_certain > coalesce(live_kinds.devices_certain, 0)
union all
-- Harm: delete from census.intent_day
select
    'fail' as severity,
    'every device that possibly has a kind possibly has an intent of it' as claim,
    count(*) as found
from report.live_kinds
left join (
    select
        app_id,
        day,
        surface,
        kind,
        sum(devices_possible) as devices_possible
    from report.intents
    group by
        app_id,
        day,
        surface,
        kind
) as counted
    on counted.app_id = live_kinds.app_id
    and counted.day = live_kinds.day
    and counted.surface = live_kinds.surface
    and counted.kind = live_kinds.kind
where live_kinds.devices_possible > coalesce(counted.devices_possible, 0)
