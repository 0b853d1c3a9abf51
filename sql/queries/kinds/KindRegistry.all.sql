-- Every kind that app $1 has used: a row for each surface where it is held or was decided on, or one without a surface.
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
