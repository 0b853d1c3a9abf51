-- Pairs of kind $3 on surface $2 of app $1 without an update of app or OS, of the 90 days before $4, by gap.
select
    gap,
    sum(pairs)::bigint as pairs,
    sum(lost)::bigint as lost,
    sum(exposed_seconds)::bigint as exposed_seconds
from census.pair_night
where app_number = $1
    and surface = $2
    and kind = $3
    and day >= $4::date - 90
    and day < $4
    and from_version = to_version
    and not is_other_os
group by gap
