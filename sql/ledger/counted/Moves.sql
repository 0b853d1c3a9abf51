{include moved_widgets},
{include moved_devices},
happened as (
    select
        device_id,
        at,
        day,
        surface,
        kind,
        cause,
        greatest(more, 0) as widgets_added,
        greatest(-more, 0) as widgets_removed,
        0 as devices_added,
        0 as devices_removed
    from told_apart
    where more <> 0
    union all
    select
        device_id,
        at,
        (at at time zone zone)::date,
        surface,
        kind,
        case when certain > 0 then began_cause else ended_cause end,
        0,
        0,
        case when certain > 0 then 1 else 0 end,
        case when certain > 0 then 0 else 1 end
    from held
    where more <> 0
        and (certain = 0) <> (certain - more = 0)
),
ran as (
    -- The phase that had begun last at each moment, else the first one.
    select distinct on (moment.device_id, moment.at)
        moment.device_id,
        moment.at,
        phase.app_version,
        phase.os_version,
        phase.platform
    from (
        select distinct
            device_id,
            at
        from happened
    ) as moment
    join census.phase
        on phase.device_id = moment.device_id
    order by
        moment.device_id,
        moment.at,
        phase.from_at <= moment.at desc,
        abs(extract(epoch from phase.from_at - moment.at))
),
counted as (
    select
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, '') as app_version,
        coalesce(ran.os_version, '') as os_version,
        coalesce(ran.platform, '') as platform,
        sum(happened.widgets_added) as widgets_added,
        sum(happened.widgets_removed) as widgets_removed,
        sum(happened.devices_added) as devices_added,
        sum(happened.devices_removed) as devices_removed
    from happened
    left join ran
        on ran.device_id = happened.device_id
        and ran.at = happened.at
    where happened.day in (select day from census.closed_day where app_number = $1)
    group by
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, ''),
        coalesce(ran.os_version, ''),
        coalesce(ran.platform, '')
)
