{include live_spans},
{include live_phases},
with_widget as (
    select distinct device_id
    from live_span
    where certain > 0
        and surface in ('widget', 'today')
),
counted as (
    select
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy,
        count(*) as devices_active,
        count(with_widget.device_id) as devices_with_widget,
        count(*) filter (where live_phase.is_reporting) as devices_reporting,
        count(*) filter (where live_phase.is_cloned) as devices_cloned
    from live_phase
    left join with_widget
        on with_widget.device_id = live_phase.device_id
    group by
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy
)
