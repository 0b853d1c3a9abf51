-- name: acts
-- The decisions on kinds of app $1 since $2, in the app's zone, oldest first.
select
    (kind_act.acted_at at time zone app.zone)::date as day,
    kind_act.surface,
    kind_act.kind,
    kind_act.lifecycle,
    kind_act.actor
from census.kind_act
join census.app
    on app.app_number = kind_act.app_number
where kind_act.app_number = $1
    and (kind_act.acted_at at time zone app.zone)::date >= $2
order by kind_act.act_number

-- name: acknowledgements
-- The losses before a release that people of app $1 acknowledged since $2, or whose acknowledgement they withdrew, in the app's
-- zone, oldest first. A withdrawal need not name the release; the acknowledgement before it did.
select
    (acknowledgement.acknowledged_at at time zone app.zone)::date as day,
    named.surface,
    named.kind,
    acknowledgement.acknowledged_by as actor,
    named.app_version as version,
    acknowledgement.maximum_loss = 0 as is_withdrawn
from census.acknowledgement
join census.app
    on app.app_number = acknowledgement.app_number
cross join lateral (
    select
        earlier.surface,
        earlier.kind,
        earlier.app_version
    from census.acknowledgement as earlier
    where earlier.app_number = acknowledgement.app_number
        and earlier.fingerprint = acknowledgement.fingerprint
        and earlier.acknowledgement_number <= acknowledgement.acknowledgement_number
        and earlier.app_version is not null
    order by earlier.acknowledgement_number desc
    limit 1
) as named
where acknowledgement.app_number = $1
    and (acknowledgement.acknowledged_at at time zone app.zone)::date >= $2
order by acknowledgement.acknowledgement_number

-- name: changes
-- The widgets of kind $3 on surface $2 of app $1 that were added and removed from $4 to $5, by day and cause.
select
    day,
    cause,
    sum(widgets_added)::bigint as added,
    sum(widgets_removed)::bigint as removed
from report.changes
where app_id = $1
    and surface = $2
    and kind = $3
    and day between $4 and $5
group by
    day,
    cause
order by
    day,
    cause

-- name: closedDays
-- The closed days of app $1 from $2 to $3. Other days have no numbers.
select day
from census.closed_day
where app_number = $1
    and day between $2 and $3
order by day

-- name: coverage
-- For how many devices of app $1 the state is known, by day from $2 to $3.
select
    day,
    devices_active as active,
    devices_reporting as reporting,
    reads,
    reads_failed,
    devices_cloned as cloned,
    policy_applied
from report.coverage
where app_id = $1
    and day between $2 and $3
order by day

-- name: decided
-- The kinds of app $1 that are legacy or retired.
select
    surface,
    kind,
    lifecycle
from census.kind_state
where app_number = $1
    and lifecycle <> 'active'

-- name: families
-- The devices of app $1 that held kind $3 on surface $2 when the day $4 ended, by family; a device can hold several.
select
    coalesce(family, '') as family,
    sum(devices_certain)::bigint as certain,
    sum(devices_possible)::bigint as possible
from report.live_installs
where app_id = $1
    and surface = $2
    and kind = $3
    and day = $4
group by family
order by
    possible desc,
    family

-- name: ghosts
-- The widgets of kind $3 on surface $2 of app $1 that the OS reported and that might have been stale, by day
-- from $4 to $5.
select
    day,
    widgets_suspect as suspect,
    widgets_gone as gone,
    widgets_still_there as still_there
from report.ghosts
where app_id = $1
    and surface = $2
    and kind = $3
    and day between $4 and $5
order by day

-- name: headlines
-- For app $1 or each app with a closed day: how many devices were active at the end of day $2 or the last closed day, and how
-- many of them certainly and possibly had a widget.
select
    app.app_id,
    shown.day,
    base.active,
    base.with_widget,
    -- Days from before the upper bound was counted have none until the next night.
    greatest(base.with_widget_possible, base.with_widget) as with_widget_possible,
    week.devices as weekly,
    (
        select count(*)
        from census.kind_state
        where kind_state.app_number = app.app_number
            and kind_state.lifecycle = 'legacy'
    ) as legacy_kinds
from census.app
cross join lateral (
    select max(closed_day.day) as day
    from census.closed_day
    where closed_day.app_number = app.app_number
        and closed_day.day = coalesce($2, closed_day.day)
) as shown
cross join lateral (
    select
        coalesce(sum(adoption.devices_active), 0)::bigint as active,
        coalesce(sum(adoption.devices_with_any_widget), 0)::bigint as with_widget,
        coalesce(sum(adoption.devices_with_any_widget_possible), 0)::bigint as with_widget_possible
    from report.adoption
    where adoption.app_id = app.app_id
        and adoption.day = shown.day
) as base
cross join lateral (
    select coalesce(sum(active.devices_weekly), 0)::bigint as devices
    from report.active
    where active.app_id = app.app_id
        and active.day = shown.day
        and active.surface is null
        and active.kind is null
        and active.family is null
) as week
where app.app_id = coalesce($1, app.app_id)
    and shown.day is not null
order by app.app_id

-- name: lastClosed
-- The last closed day of app $1; null if none is closed.
select max(day) as day
from census.closed_day
where app_number = $1

-- name: lossActs
-- How incidents of app $1 were opened, acknowledged and closed since $2, in the app's zone, oldest first.
select
    (loss_act.acted_at at time zone app.zone)::date as day,
    loss_act.surface,
    loss_act.kind,
    loss_act.state,
    loss_act.actor,
    loss_act.to_version as version
from census.loss_act
join census.app
    on app.app_number = loss_act.app_number
where loss_act.app_number = $1
    and (loss_act.acted_at at time zone app.zone)::date >= $2
order by loss_act.act_number

-- name: quirks
-- On which OS versions the lists of app $1's phones named widgets that were gone.
select
    platform,
    os_version,
    suspects_settled as settled,
    gone,
    gone_share::double precision as share,
    low::double precision as low,
    high::double precision as high,
    ordinary_removal_share::double precision as ordinary
from report.os_quirks
where app_id = $1
order by
    settled desc,
    platform,
    os_version

-- name: refusals
-- Refused events of app $1's phones since $2, until $3 or now, the most frequent first.
select
    code,
    sum(events)::bigint as events,
    max(day) as last_day,
    min(example collate "C") as example
from report.refused
where app_id = $1
    and day between $2 and coalesce($3::date, 'infinity')
group by code
order by
    events desc,
    code

-- name: releases
-- The versions of app $1 that appeared since $2: on the day of the first update to them, of their manifest, or on which devices
-- were first counted with them, whichever is the earliest.
with seen as (
    select
        to_version as app_version,
        first_day as day
    from census.loss_version
    where app_number = $1
    union all
    select
        manifest.app_version,
        (manifest.added_at at time zone app.zone)::date
    from census.manifest
    join census.app
        on app.app_number = manifest.app_number
    where manifest.app_number = $1
),
run as (
    select
        app_version,
        min(day) as day
    from census.device_day
    where app_number = $1
        and devices_active > 0
    group by app_version
)
select
    least(min(seen.day), min(run.day)) as day,
    seen.app_version
from seen
left join run
    on run.app_version = seen.app_version
group by seen.app_version
having least(min(seen.day), min(run.day)) >= $2
order by
    day,
    seen.app_version
