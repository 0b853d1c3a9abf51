{include live_spans},
{include live_phases},
{include held_kinds},
counted as (
    select
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible
    from held
    join live_phase
        on live_phase.device_id = held.device_id
    where held.possible > 0
    group by
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
)
