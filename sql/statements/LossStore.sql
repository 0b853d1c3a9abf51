-- name: accepted
-- How many losses of kind $3 on surface $2 of app $1 in an update that began on day $4 a person accepted beforehand: the last
-- acknowledgement of each finding of preflight for each version, if it was still valid then, and the holders that were left
-- when the kind was retired (any version, so null). A withdrawal ends those of all versions.
with withdrawn as (
    select
        fingerprint,
        max(acknowledgement_number) as last_number
    from census.acknowledgement
    where app_number = $1
        and maximum_loss = 0
    group by fingerprint
)
select
    newest.app_version,
    newest.maximum_loss
from (
    select distinct on (acknowledgement.fingerprint, acknowledgement.app_version)
        acknowledgement.app_version,
        acknowledgement.maximum_loss,
        acknowledgement.until_day,
        acknowledgement.surface,
        acknowledgement.kind
    from census.acknowledgement
    left join withdrawn
        on withdrawn.fingerprint = acknowledgement.fingerprint
    where acknowledgement.app_number = $1
        and acknowledgement.acknowledgement_number > coalesce(withdrawn.last_number, 0)
    order by
        acknowledgement.fingerprint,
        acknowledgement.app_version,
        acknowledgement.acknowledgement_number desc
) as newest
where newest.surface = $2
    and newest.kind = $3
    and newest.app_version is not null
    and newest.until_day >= $4
union all
select
    null,
    -- From the verdict on which it was retired, which includes the silent holders.
    coalesce(
        (act.figures ->> 'devices_possible')::bigint + (act.figures ->> 'devices_silent')::bigint, act.devices_possible)
from census.kind_state as act
where act.app_number = $1
    and act.surface = $2
    and act.kind = $3
    and act.lifecycle = 'retired'

-- name: act
-- Records that the incident of kind $3 on surface $2 of app $1 with updates to version $4 became $5, by $6, because of $7.
insert into census.loss_act (app_number, surface, kind, to_version, state, actor, reason, figures)
select
    app_number,
    surface,
    kind,
    to_version,
    $5,
    $6,
    $7,
    to_json(loss_watch)
from census.loss_watch
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version = $4

-- name: acts
-- The acts on the incidents of kind $2, or of all kinds, of app $1, the oldest first.
select
    loss_act.surface,
    loss_act.kind,
    loss_act.to_version,
    loss_act.state,
    loss_act.actor,
    loss_act.reason,
    (loss_act.acted_at at time zone app.zone)::date as day,
    (loss_act.figures ->> 'upgraders')::bigint as upgraders,
    (loss_act.figures ->> 'lost')::bigint as lost
from census.loss_act
join census.app
    on app.app_number = loss_act.app_number
where loss_act.app_number = $1
    and ($2::text is null or loss_act.kind = $2)
order by loss_act.act_number

-- name: countOpen
select count(*)
from census.loss_watch
where state = 'open'

-- name: days
-- Updates of app $1 to version $4 by devices that held kind $3 on surface $2, in the order in which nights processed them, each
-- with the pairs of the same night, day, kind and stratum without an update.
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

-- name: due
-- Watches of app $1 to judge again, of versions that appeared less than $3 days before $2: those with updates from this night,
-- open or acknowledged incidents, and those with accepted losses, because an acceptance can be revoked.
select
    loss_watch.surface,
    loss_watch.kind,
    loss_watch.to_version,
    loss_watch.chance,
    loss_watch.tolerance,
    loss_watch.bound,
    loss_watch.long_bound,
    loss_watch.state,
    loss_watch.opened_on,
    loss_version.first_day
from census.loss_watch
join census.loss_version
    on loss_version.app_number = loss_watch.app_number
    and loss_version.to_version = loss_watch.to_version
where loss_watch.app_number = $1
    and loss_version.first_day > $2::date - $3::integer
    and (
        loss_watch.state in ('open', 'acknowledged')
        or loss_watch.excused > 0
        or exists (
            select 1
            from census.pair_night
            where pair_night.app_number = $1
                and pair_night.surface = loss_watch.surface
                and pair_night.kind = loss_watch.kind
                and pair_night.to_version = loss_watch.to_version
                and pair_night.from_version <> pair_night.to_version
                and pair_night.taken_at = now()))
order by
    loss_version.first_day,
    loss_watch.to_version,
    loss_watch.surface,
    loss_watch.kind

-- name: enter
-- Adds pairs of reports.
copy census.pair_entry (
    app_number, day, surface, kind, from_version, to_version, is_other_os, gap, os_release, gained, pairs, lost,
    exposed_seconds
) from stdin (format binary)

-- name: excused
-- Losses of kind $3 on surface $2 of app $1 in updates to versions other than $4 that were accepted beforehand.
select
    to_version,
    excused
from census.loss_watch
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version <> $4
    and excused > 0

-- name: followed
-- Marks the incidents of app $1 that were open or acknowledged and have at least twice the losses of the last message, or that
-- can grow no further on day $2: nobody is at risk, or the version appeared at least $3 days before. Returns what changed.
with changed as (
    select
        loss_watch.surface,
        loss_watch.kind,
        loss_watch.to_version,
        loss_watch.devices_at_risk = 0 or loss_version.first_day <= $2::date - $3::integer as has_ended
    from census.loss_watch
    join census.loss_version
        on loss_version.app_number = loss_watch.app_number
        and loss_version.to_version = loss_watch.to_version
    where loss_watch.app_number = $1
        and loss_watch.state in ('open', 'acknowledged')
        and loss_watch.ended_on is null
        and (
            loss_watch.lost >= 2 * loss_watch.told_lost
            or loss_watch.devices_at_risk = 0
            or loss_version.first_day <= $2::date - $3::integer)
)
update census.loss_watch set
    told_lost = loss_watch.lost,
    ended_on = case when changed.has_ended then $2::date end
from changed
where loss_watch.app_number = $1
    and loss_watch.surface = changed.surface
    and loss_watch.kind = changed.kind
    and loss_watch.to_version = changed.to_version
returning
    loss_watch.surface,
    loss_watch.kind,
    loss_watch.to_version,
    changed.has_ended

-- name: healthyUpdates
-- The losses in updates of app $1 that opened no incident, with the losses without an update in the same nights.
select
    coalesce(sum(upgraders), 0)::bigint as pairs,
    coalesce(sum(lost), 0)::bigint as lost,
    coalesce(sum(exposed_seconds), 0)::bigint as exposed_seconds,
    coalesce(sum(others), 0)::bigint as others,
    coalesce(sum(others_lost), 0)::bigint as others_lost,
    coalesce(sum(others_seconds), 0)::bigint as others_seconds
from census.loss_watch
where app_number = $1
    and not exists (
        select 1
        from census.loss_watch as opened
        where opened.app_number = $1
            and opened.to_version = loss_watch.to_version
            and opened.opened_on is not null)

-- name: holders
-- The kinds of app $1 that at least $3 devices held for certain on the last closed day before $2 or, if there is none, on the
-- first day with numbers from $2 on.
select
    surface,
    kind
from census.kind_day
where app_number = $1
    and day = coalesce(
        (
            select max(before.day)
            from census.kind_day as before
            where before.app_number = $1
                and before.day < $2),
        (
            select min(after.day)
            from census.kind_day as after
            where after.app_number = $1
                and after.day >= $2))
    and devices_certain >= $3
order by
    surface,
    kind

-- name: holdersByVersion
-- Devices that held a watched kind of app $1 for certain when the last closed day ended, by surface, kind and version.
select
    surface,
    kind,
    app_version,
    sum(devices_certain)::bigint as devices
from census.version_day
where app_number = $1
    and (surface, kind) in (
        select
            loss_watch.surface,
            loss_watch.kind
        from census.loss_watch
        where loss_watch.app_number = $1)
    and day = (
        select max(closed_day.day)
        from census.closed_day
        where closed_day.app_number = $1)
group by
    surface,
    kind,
    app_version

-- name: incidents
-- The watches of app $1 in one of the states $2, the newest incident first.
select
    loss_watch.surface,
    loss_watch.kind,
    loss_watch.to_version,
    loss_watch.chance,
    loss_watch.upgraders as pairs,
    loss_watch.lost,
    loss_watch.excused,
    loss_watch.exposed_seconds,
    loss_watch.others,
    loss_watch.others_lost,
    loss_watch.others_seconds,
    loss_watch.evidence,
    loss_watch.smallest_seen,
    loss_watch.devices_at_risk,
    loss_watch.state,
    loss_watch.opened_on,
    loss_watch.judged_on,
    loss_watch.late,
    loss_watch.unmatched,
    loss_watch.unmatched_with_os,
    detail.details,
    detail.detail_values,
    detail.detail_upgraders,
    detail.detail_lost,
    origin.from_versions,
    origin.from_versions_lost
from census.loss_watch
cross join lateral (
    select
        coalesce(array_agg(from_version), '{}') as from_versions,
        coalesce(array_agg(lost), '{}') as from_versions_lost
    from census.loss_origin
    where loss_origin.app_number = loss_watch.app_number
        and loss_origin.surface = loss_watch.surface
        and loss_origin.kind = loss_watch.kind
        and loss_origin.to_version = loss_watch.to_version
        and loss_origin.lost > 0
) as origin
cross join lateral (
    select
        coalesce(array_agg(part.detail), '{}') as details,
        coalesce(array_agg(part.value), '{}') as detail_values,
        coalesce(array_agg(part.upgraders), '{}') as detail_upgraders,
        coalesce(array_agg(part.lost), '{}') as detail_lost
    from (
        select
            loss_detail.detail,
            loss_detail.value,
            loss_detail.upgraders,
            loss_detail.lost
        from census.loss_detail
        where loss_detail.app_number = loss_watch.app_number
            and loss_detail.surface = loss_watch.surface
            and loss_detail.kind = loss_watch.kind
            and loss_detail.to_version = loss_watch.to_version
        order by
            loss_detail.lost desc,
            loss_detail.upgraders desc,
            loss_detail.value
        limit 100
    ) as part
) as detail
where app_number = $1
    and state = any($2::text[])
    and judged_on is not null
order by
    opened_on desc nulls last,
    to_version,
    surface,
    kind

-- name: lastAct
-- The number of the last act on a loss of kind $2 in updates to version $3 of app $1, a night's included; 0 if there is none.
select coalesce(max(act_number), 0)
from census.loss_act
where app_number = $1
    and kind = $2
    and to_version = $3

-- name: lateKinds
-- Kinds of app $1 that are not watched for a watched version, although this night processed updates to it and at least $3
-- devices held them for certain when the last closed day through $2 ended; with how many kinds the version is watched for so
-- far.
select
    late.surface,
    late.kind,
    loss_version.to_version,
    loss_version.first_day,
    loss_version.place,
    loss_version.kinds,
    loss_version.false_alarms,
    (
        select count(*)
        from census.loss_watch
        where loss_watch.app_number = $1
            and loss_watch.to_version = loss_version.to_version) as watched
from (
    select distinct
        surface,
        kind,
        to_version
    from census.pair_night
    where app_number = $1
        and taken_at = now()
        and from_version <> to_version
) as late
join census.loss_version
    on loss_version.app_number = $1
    and loss_version.to_version = late.to_version
join census.kind_day
    on kind_day.app_number = $1
    and kind_day.surface = late.surface
    and kind_day.kind = late.kind
    and kind_day.day = (
        select max(closed_day.day)
        from census.closed_day
        where closed_day.app_number = $1
            and closed_day.day <= $2)
    and kind_day.devices_certain >= $3
where not exists (
    select 1
    from census.loss_watch
    where loss_watch.app_number = $1
        and loss_watch.surface = late.surface
        and loss_watch.kind = late.kind
        and loss_watch.to_version = late.to_version)
order by
    loss_version.to_version,
    late.surface,
    late.kind

-- name: lock
-- One at a time: nights that watch updates, and people's acts on incidents.
lock table census.losses_lock in exclusive mode

-- name: newVersions
-- Versions of app $1 that have updates from this night, are not watched yet, and have $2 updated holders of some kind. The
-- first to appear comes first.
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

-- name: ordinary
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

-- name: risks
-- The stored numbers of devices at risk from updates of app $1, for each judged watch and each version that devices came from.
select
    surface,
    kind,
    to_version,
    null as from_version,
    devices_at_risk
from census.loss_watch
where app_number = $1
    and judged_on is not null
union all
select
    surface,
    kind,
    to_version,
    from_version,
    devices_at_risk
from census.loss_origin
where app_number = $1

-- name: saveOrigins
-- Saves the same for each version that devices came from.
insert into census.loss_origin (
    app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk)
select
    $1,
    $2,
    $3,
    $4,
    from_version,
    upgraders,
    lost,
    exposed_seconds,
    others,
    others_lost,
    others_seconds,
    evidence,
    z,
    devices_at_risk
from unnest(
    $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
    $12::double precision[], $13::double precision[], $14::bigint[]
) as origin (
    from_version, upgraders, lost, exposed_seconds, others, others_lost, others_seconds, evidence, z, devices_at_risk)
on conflict (app_number, surface, kind, to_version, from_version) do update set
    upgraders = excluded.upgraders,
    lost = excluded.lost,
    exposed_seconds = excluded.exposed_seconds,
    others = excluded.others,
    others_lost = excluded.others_lost,
    others_seconds = excluded.others_seconds,
    evidence = excluded.evidence,
    z = excluded.z,
    devices_at_risk = excluded.devices_at_risk

-- name: saveRisks
-- Saves how many devices are at risk now, for kinds $3 on surfaces $2 of app $1 and updates to versions $4, from versions $5,
-- or from all if that is null.
with risk as (
    select
        surface,
        kind,
        to_version,
        from_version,
        devices
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) as risk (
        surface, kind, to_version, from_version, devices)
),
origin as (
    update census.loss_origin set
        devices_at_risk = risk.devices
    from risk
    where loss_origin.app_number = $1
        and loss_origin.surface = risk.surface
        and loss_origin.kind = risk.kind
        and loss_origin.to_version = risk.to_version
        and loss_origin.from_version = risk.from_version
)
update census.loss_watch set
    devices_at_risk = risk.devices
from risk
where loss_watch.app_number = $1
    and loss_watch.surface = risk.surface
    and loss_watch.kind = risk.kind
    and loss_watch.to_version = risk.to_version
    and risk.from_version is null

-- name: saveWatch
-- Saves the figures from the pairs for kind $3 on surface $2 of app $1 and updates to version $4.
update census.loss_watch set
    upgraders = $5,
    lost = $6,
    excused = $7,
    exposed_seconds = $8,
    others = $9,
    others_lost = $10,
    others_seconds = $11,
    evidence = $12,
    z = $13,
    smallest_seen = $14,
    devices_at_risk = $15,
    state = $16,
    opened_on = $17,
    judged_on = $18,
    late = $19,
    unmatched = $20,
    unmatched_with_os = $21,
    told_lost = case when state = 'watched' then $6 else told_lost end
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version = $4

-- name: setState
-- Acknowledges or closes incidents of kind $2 of app $1, of updates to version $3, on all surfaces. Returns those it changed.
update census.loss_watch set
    state = $4,
    told_lost = lost
where app_number = $1
    and kind = $2
    and to_version = $3
    and (state = 'open' or state = 'acknowledged' and $4 = 'closed')
returning surface

-- name: sweep
-- Deletes the pairs of app $1, and the details of updates, from more than $3 days before $2. No watch looks back so far.
with details as (
    delete from census.loss_detail
    where app_number = $1
        and last_day < $2::date - $3::integer
)
delete from census.pair_night
where app_number = $1
    and day < $2::date - $3::integer

-- name: take
-- Moves the pairs of app $1 through day $2 from the queue to the rows of this night, and adds the details that updates have in
-- common. Returns one row: how many were moved.
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

-- name: watch
-- Begins to watch kind $3 on surface $2 of app $1 for updates to version $4.
insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, bound, long_bound)
values ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: watchVersion
-- Begins to watch version $2 of app $1, which first appeared on $3, for $4 kinds. Returns its place in the year and the budget.
insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
select
    app.app_number,
    $2,
    $3::date,
    (
        select count(*)
        from census.loss_version
        where loss_version.app_number = $1
            and extract(year from loss_version.first_day) = extract(year from $3::date)),
    $4::integer,
    app.false_alarms
from census.app
where app.app_number = $1
returning
    place,
    false_alarms
