-- Versions of app $1 to which devices updated this night, and which are not watched yet: those of which some kind has $2
-- updated holders by now, the first to appear first.
select
    to_version,
    min(first_day) as first_day
from (
    select
        pair_night.to_version,
        min(pair_night.day) as first_day,
        sum(pair_night.pairs) as pairs
    from census.pair_night
    where pair_night.app_number = $1
        and pair_night.from_version <> pair_night.to_version
        and pair_night.to_version in (
            select fresh.to_version
            from census.pair_night as fresh
            where fresh.app_number = $1
                and fresh.taken_at = now()
                and fresh.from_version <> fresh.to_version)
        and not exists (
            select 1
            from census.loss_version
            where loss_version.app_number = $1
                and loss_version.to_version = pair_night.to_version)
    group by
        pair_night.to_version,
        pair_night.surface,
        pair_night.kind
) as updated
group by to_version
having max(pairs) >= $2
order by
    first_day,
    to_version
