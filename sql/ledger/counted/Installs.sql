{include live_spans},
{include live_phases},
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        family,
        sum(certain) as certain,
        sum(certain + presumed + suspect + either) as possible,
        sum(reported) as reported
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind,
        family
),
counted as (
    select
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        held.family,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible,
        sum(held.reported) as widgets_reported
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
    group by
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        held.family,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
)
