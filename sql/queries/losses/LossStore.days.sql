-- Updates of app $1 to version $4 by devices that held kind $3 on surface $2, in the order in which nights took them, each
-- beside the pairs of the same night, day, kind and stratum without an update.
select
    updated.taken_at,
    updated.day,
    updated.is_other_os,
    updated.gap,
    updated.from_version,
    updated.pairs,
    updated.lost,
    updated.exposed_seconds,
    coalesce(ordinary.pairs, 0)::bigint as others,
    coalesce(ordinary.lost, 0)::bigint as others_lost,
    coalesce(ordinary.exposed_seconds, 0)::bigint as others_seconds
from census.pair_night as updated
left join (
    select
        taken_at,
        day,
        is_other_os,
        gap,
        sum(pairs) as pairs,
        sum(lost) as lost,
        sum(exposed_seconds) as exposed_seconds
    from census.pair_night
    where app_number = $1
        and surface = $2
        and kind = $3
        and from_version = to_version
        and day >= $5::date
        and day <= $5::date + $6::integer
    group by
        taken_at,
        day,
        is_other_os,
        gap
) as ordinary
    on ordinary.taken_at = updated.taken_at
    and ordinary.day = updated.day
    and ordinary.is_other_os = updated.is_other_os
    and ordinary.gap = updated.gap
where updated.app_number = $1
    and updated.surface = $2
    and updated.kind = $3
    and updated.to_version = $4
    and updated.from_version <> updated.to_version
    and updated.day >= $5::date
    and updated.day <= $5::date + $6::integer
order by
    updated.taken_at,
    updated.day,
    updated.from_version
