-- Moves the pairs of app $1 through day $2 from the queue to the rows of this night, and adds what the updates have in common.
-- Returns one row: how many were moved.
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
        gap,
        os_release,
        gained,
        pairs,
        lost,
        exposed_seconds
),
detailed as (
    select
        surface,
        kind,
        to_version,
        'os' as detail,
        os_release as value,
        pairs,
        lost,
        day
    from taken
    where os_release is not null
    union all
    select
        taken.surface,
        taken.kind,
        taken.to_version,
        'gained',
        gained.kind,
        taken.lost,
        taken.lost,
        taken.day
    from taken
    cross join unnest(taken.gained) as gained (kind)
),
details as (
    insert into census.loss_detail (app_number, surface, kind, to_version, detail, value, upgraders, lost, last_day)
    select
        $1,
        surface,
        kind,
        to_version,
        detail,
        value,
        sum(pairs),
        sum(lost),
        max(day)
    from detailed
    group by
        surface,
        kind,
        to_version,
        detail,
        value
    on conflict (app_number, surface, kind, to_version, detail, value) do update set
        upgraders = loss_detail.upgraders + excluded.upgraders,
        lost = loss_detail.lost + excluded.lost,
        last_day = greatest(loss_detail.last_day, excluded.last_day)
),
kept as (
    insert into census.pair_night (
        app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, gap, pairs, lost,
        exposed_seconds)
    select
        $1,
        surface,
        kind,
        to_version,
        from_version,
        now(),
        day,
        is_other_os,
        gap,
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
        is_other_os,
        gap
    returning pairs
)
select coalesce(sum(pairs), 0)::bigint as pairs
from kept
