-- Claims about mass_losses that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.loss_watch set lost = 0, excused = 0
select
    'fail' as severity,
    'the row for all versions is the sum of the rows for each version' as claim,
    count(*) as found
from (
    select
        app_id,
        surface,
        kind,
        to_version
    from report.mass_losses
    group by
        app_id,
        surface,
        kind,
        to_version
    having sum(lost) filter (where from_version is null) <> sum(lost) filter (where from_version is not null)
        or sum(upgraders) filter (where from_version is null) <> sum(upgraders) filter (where from_version is not null)
) as differing
union all
-- Harm: update census.loss_watch set state = 'open', opened_on = null
select
    'fail' as severity,
    'opened_on is set exactly for incidents' as claim,
    count(*) as found
from report.mass_losses
where (state = 'watched') <> (opened_on is null)
union all
-- Harm: update census.loss_origin set upgraders = 1000000, lost = 1000000
select
    'fail' as severity,
    'no version has more upgraders or losses than the nights recorded' as claim,
    count(*) as found
from (
    select
        app_number,
        surface,
        kind,
        to_version,
        from_version,
        upgraders,
        lost
    from census.loss_origin
) as origin
join census.loss_version
    on loss_version.app_number = origin.app_number
    and loss_version.to_version = origin.to_version
cross join lateral (
    select
        coalesce(sum(pair_night.pairs), 0) as pairs,
        coalesce(sum(pair_night.lost), 0) as lost
    from census.pair_night
    where pair_night.app_number = origin.app_number
        and pair_night.surface = origin.surface
        and pair_night.kind = origin.kind
        and pair_night.to_version = origin.to_version
        and pair_night.from_version = origin.from_version
) as taken
where loss_version.first_day > current_date - 180
    and (origin.upgraders > taken.pairs or origin.lost > taken.lost)
