-- name: acts
-- Every decision on kind $3 on surface $2 of app $1, oldest first; times in the app's zone.
select
    kind_act.surface,
    kind_act.act_number as version,
    (kind_act.acted_at at time zone app.zone)::date as day,
    kind_act.lifecycle,
    kind_act.actor,
    kind_act.reason,
    kind_act.replaced_by,
    kind_act.devices_certain,
    kind_act.devices_possible,
    kind_act.figures ->> 'verdict' as verdict
from census.kind_act
join census.app
    on app.app_number = kind_act.app_number
where kind_act.app_number = $1
    and kind_act.surface = $2
    and kind_act.kind = $3
order by kind_act.act_number

-- name: all
-- Every kind that app $1 has used: a row for each surface on which devices hold it or that has a decision, or one without a
-- surface.
with act as (
    select
        surface,
        kind,
        lifecycle
    from census.kind_state
    where app_number = $1
),
held as (
    select
        live_now.surface,
        live_now.kind,
        live_now.devices_certain,
        live_now.devices_possible
    from report.live_now
    join census.app
        on app.app_id = live_now.app_id
    where app.app_number = $1
        and live_now.devices_possible > 0
),
listed as (
    select
        surface,
        kind,
        coalesce(act.lifecycle, 'active') as lifecycle,
        coalesce(held.devices_certain, 0) as devices_certain,
        coalesce(held.devices_possible, 0) as devices_possible
    from held
    full join act
        using (surface, kind)
)
select
    coalesce(listed.kind, known_name.name) as kind,
    coalesce(listed.lifecycle, 'active') as lifecycle,
    listed.surface,
    coalesce(listed.devices_certain, 0) as devices_certain,
    coalesce(listed.devices_possible, 0) as devices_possible
from listed
full join (
    select name
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
) as known_name
    on known_name.name = listed.kind
order by
    kind,
    listed.surface

-- name: isKnown
-- Whether a device of app $1 has named the kind $2 or, if $3 is true, a manifest has.
select
    exists (
        select 1
        from census.known_name
        where app_number = $1
            and dimension = 'kind'
            and name = $2)
    or ($3 and exists (
        select 1
        from census.manifest_kind
        where app_number = $1
            and kind = $2))

-- name: keepFigures
-- Stores the figures $2, objects of census.readiness, with the acts $1 that were based on them.
update census.kind_act set
    figures = judged.figures::json
from unnest($1::bigint[], $2::text[]) as judged (act_number, figures)
where kind_act.act_number = judged.act_number

-- name: kinds
-- Every kind of app $1, by the last decision on surface $2.
with known as (
    select name as kind
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
),
decided as (
    select
        kind,
        lifecycle
    from census.kind_state
    where app_number = $1
        and surface = $2
)
select
    coalesce(decided.kind, known.kind) as kind,
    coalesce(decided.lifecycle, 'active') as lifecycle
from known
full join decided
    on decided.kind = known.kind
order by kind

-- name: lastAct
-- The number of the last decision on kind $2 of app $1; 0 if there is none.
select coalesce(max(act_number), 0)
from census.kind_act
where app_number = $1
    and kind = $2

-- name: lock
-- One decision at a time: two equal ones at the same time would both be recorded.
lock table census.kinds_lock in exclusive mode

-- name: mark
-- Records an act for each surface on which the app ever had the kind, with the numbers it was based on. Skips surfaces with an
-- equal decision.
with held as (
    select surface
    from census.kind_day
    where app_number = $1
        and kind = $2
    union
    -- Surfaces that no night has counted.
    select surface
    from census.span
    where app_number = $1
        and surface = any($5::text[])
        and kind = $2
        and coalesce(to_at, 'infinity') > now()
),
current as (
    select
        surface,
        lifecycle,
        replaced_by
    from census.kind_state
    where app_number = $1
        and kind = $2
),
decided as (
    select surface
    from held
    union
    select 'widget'
    where not exists (select 1 from held)
    union
    -- Revoking a decision revokes it on every surface that has one.
    select surface
    from current
    where $3 = 'active'
),
act as materialized (
    select
        app.app_number,
        decided.surface,
        $2::text as kind,
        $3::text as lifecycle,
        $4::text as actor,
        coalesce(live_now.devices_certain, 0) as devices_certain,
        coalesce(live_now.devices_possible, 0) as devices_possible,
        $6::text as reason,
        $7::text as replaced_by
    from census.app
    cross join decided
    left join current
        on current.surface = decided.surface
    left join report.live_now
        on live_now.app_id = app.app_id
        and live_now.surface = decided.surface
        and live_now.kind = $2
    where app.app_number = $1
        -- Naming another replacement is a decision, too.
        and (
            coalesce(current.lifecycle, 'active') <> $3
            or ($7::text is not null and current.replaced_by is distinct from $7)
        )
        -- On a surface where it was never marked, it has no verdict.
        and ($3 <> 'retired' or current.lifecycle = 'legacy')
)
insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible, reason, replaced_by)
select
    app_number,
    surface,
    kind,
    lifecycle,
    actor,
    devices_certain,
    devices_possible,
    reason,
    replaced_by
from act
order by surface
returning
    surface,
    act_number as version,
    null::date as day,
    lifecycle,
    actor,
    reason,
    replaced_by,
    devices_certain,
    devices_possible,
    null::text as verdict

-- name: stamp
-- What app $1's gallery depends on apart from the devices. While it is the same, so are the kinds and the decisions.
select
    app.window_days,
    app.zone,
    app.doubted_builds,
    coalesce(latest.act_number, 0) as version,
    -- After an older backup was restored, another act can get a number that was used before.
    latest.acted_at,
    (
        select count(*)
        from census.known_name
        where app_number = $1
            and dimension = 'kind') as known_kinds
from census.app
left join lateral (
    select
        act_number,
        acted_at
    from census.kind_act
    where app_number = $1
    order by act_number desc
    limit 1
) as latest
    on true
where app_number = $1
