-- Records an act for each surface where the app was ever seen to hold the kind, with the numbers it was based on; nothing
-- changes where the same was decided before.
with held as (
    select surface
    from census.kind_day
    where app_number = $1
        and kind = $2
    union
    -- Surfaces that no night has counted yet.
    select possible.surface
    from unnest($5::text[]) as possible (surface)
    where exists (
        select
        from census.span
        where span.app_number = $1
            and span.surface = possible.surface
            and span.kind = $2
            and coalesce(span.to_at, 'infinity') > now())
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
    where not exists (select from held)
    union
    -- Taking a decision back takes it back on every surface that has one.
    select surface
    from current
    where $3 = 'active'
)
insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible, reason, replaced_by)
select
    app.app_number,
    decided.surface,
    $2,
    $3,
    $4,
    coalesce(live_now.devices_certain, 0),
    coalesce(live_now.devices_possible, 0),
    $6,
    $7
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
order by decided.surface
returning
    surface,
    act_number,
    devices_certain,
    devices_possible
