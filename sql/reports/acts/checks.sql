-- Claims about acts that hold on any database, besides those made from its grain; found: violations.
-- Harm: none but a wrong view
select
    'fail' as severity,
    'one row per act' as claim,
    count(*) as found
from (
    select act
    from report.acts
    group by act
    having count(*) > 1
) as repeated
union all
-- Harm: update census.kind_act set lifecycle = 'odd'
select
    'fail' as severity,
    'every act makes a kind active, legacy or retired' as claim,
    count(*) as found
from report.acts
where lifecycle not in ('active', 'legacy', 'retired')
union all
-- Harm: update census.kind_act set devices_certain = devices_possible + 1
select
    'fail' as severity,
    'devices_certain <= devices_possible' as claim,
    count(*) as found
from report.acts
where not (0 <= devices_certain and devices_certain <= devices_possible)
