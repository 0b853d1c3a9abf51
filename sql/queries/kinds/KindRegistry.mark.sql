-- Records an act for each surface where the app was ever seen to hold the kind, with the numbers it was based on; nothing
-- changes where the same was decided before.
with held as (
    select surface
    from census.kind_day
    where app_number = $1
        and kind = $2
    union
    -- Surfaces that no night has counted yet.
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
    -- Taking a decision back takes it back on every surface that has one.
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
        -- On a surface where it was never marked, nothing has judged it.
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
    act_number,
    devices_certain,
    devices_possible
