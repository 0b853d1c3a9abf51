{include live_spans},
{include live_phases},
-- What each device is counted as, and on which days while its phases last.
counted_as as (
    select distinct
        device_id,
        'with_widget' as what,
        first,
        last
    from live_span
    where certain > 0
        and surface in ('widget', 'today')
    union all
    select
        counted_device.device_id,
        always.what,
        1,
        cardinality($2::date[])
    from census.counted_device
    cross join (values ('active'), ('reporting')) as always (what)
    where counted_device.app_number = $1
),
counted as (
    select
        its_days.first,
        its_days.last,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy,
        count(*) filter (where counted_as.what = 'active') as devices_active,
        count(*) filter (where counted_as.what = 'with_widget') as devices_with_widget,
        count(*) filter (where counted_as.what = 'reporting') as devices_reporting,
        count(*) filter (where counted_as.what = 'active' and live_phase.is_cloned) as devices_cloned
    from live_phase
    join counted_as
        on counted_as.device_id = live_phase.device_id
        and counted_as.first <= live_phase.last
        and counted_as.last >= live_phase.first
    cross join lateral (
        select
            greatest(counted_as.first, live_phase.first) as first,
            least(
                counted_as.last, live_phase.last,
                case when counted_as.what = 'reporting' then live_phase.last_reporting end
            ) as last
    ) as its_days
    where its_days.first <= its_days.last
    group by
        its_days.first,
        its_days.last,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy
)
