-- Moves the pairs of app $1 through day $2 from the queue to the rows of this night. Returns one row: how many were moved.
with taken as (
    delete from census.pair_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        from_version,
        to_version,
        is_other_os,
        pairs,
        lost,
        exposed_seconds
),
kept as (
    insert into census.pair_night (
        app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, pairs, lost, exposed_seconds)
    select
        $1,
        surface,
        kind,
        to_version,
        from_version,
        now(),
        day,
        is_other_os,
        sum(pairs),
        sum(lost),
        sum(exposed_seconds)
    from taken
    group by
        surface,
        kind,
        to_version,
        from_version,
        day,
        is_other_os
    returning pairs
)
select coalesce(sum(pairs), 0)::bigint as pairs
from kept
