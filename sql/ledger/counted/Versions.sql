{include live_spans},
{include live_phases},
{include held_kinds},
counted as (
    select
        its_days.first,
        its_days.last,
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
        and live_phase.first <= held.last
        and live_phase.last >= held.first
    cross join lateral (
        select
            greatest(live_phase.first, held.first) as first,
            least(live_phase.last, held.last) as last
    ) as its_days
    where held.possible > 0
    group by
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
)
