-- Claims about lifetimes that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.lifetime_day set devices = 1000000
select
    'fail' as severity,
    'no part of a cohort is below zero: ended, still_there, out_of_sight' as claim,
    count(*) as found
from report.lifetimes
where not (0 <= ended and 0 <= still_there and 0 <= out_of_sight)
union all
-- Harm: update census.lifetime_day set cause = 'installed' where cause = 'removed'
select
    'fail' as severity,
    'the causes add up to ended' as claim,
    count(*) as found
from report.lifetimes
where ended <> ended_removed + ended_configured + ended_reinstalled + ended_upgrade_loss
union all
-- Harm: none but a wrong view
select
    'fail' as severity,
    'days_p25 <= days_p50 <= days_p75' as claim,
    count(*) as found
from report.lifetimes
where days_p25 > days_p50
    or days_p50 > days_p75
    or (days_p25 is null and days_p50 is not null)
    or (days_p50 is null and days_p75 is not null)
union all
-- Harm: update census.cohort_day set devices_certain = 0, devices_possible = 0
select
    'fail' as severity,
    'no cohort has more devices that kept the kind than retention has devices that possibly have it' as claim,
    count(*) as found
from report.lifetimes
join (
    select distinct on (app_id, surface, kind, cohort_week)
        app_id,
        surface,
        kind,
        cohort_week,
        devices_still_possible
    from report.retention
    order by
        app_id,
        surface,
        kind,
        cohort_week,
        week desc
) as kept
    using (app_id, surface, kind, cohort_week)
where lifetimes.still_there > kept.devices_still_possible
