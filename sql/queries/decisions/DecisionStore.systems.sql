-- The active devices of app $1 by what they run, which decides what surfaces they can have: on the last closed day through $2; and now,
-- with those that sent the list of each surface lately. Of two phones with one id nobody knows which list is whose.
with last_day as (
    select max(day) as day
    from census.closed_day
    where app_number = $1
        and day between $2::date - 28 and $2
),
counted as (
    select
        platform,
        os_version,
        sum(devices_active)::bigint as devices_active,
        sum(devices_reporting)::bigint as devices_reporting
    from census.device_day
    where app_number = $1
        and day = (select day from last_day)
    group by
        platform,
        os_version
),
listing as (
    select
        platform,
        coalesce(os_version, '') as os_version,
        count(*) as devices_active_now,
        count(*) filter (where not is_cloned and coalesce(widgets_until, before_until) > now())
            as devices_listing_widgets,
        count(*) filter (where not is_cloned and coalesce(controls_until, before_until) > now())
            as devices_listing_controls,
        count(*) filter (where not is_cloned and coalesce(activities_until, before_until) > now())
            as devices_listing_activities
    from census.device
    cross join lateral (
        -- An installation that has listed nothing yet goes by the one before.
        select case when last_report_at is null then reporting_until end as before_until
    ) as installation
    where device.app_number = $1
        and device.silent_at > now()
    group by
        platform,
        coalesce(os_version, '')
)
select
    platform,
    os_version,
    devices_active,
    devices_reporting,
    0::bigint as devices_active_now,
    0::bigint as devices_listing_widgets,
    0::bigint as devices_listing_controls,
    0::bigint as devices_listing_activities
from counted
union all
select
    platform,
    os_version,
    0,
    0,
    devices_active_now,
    devices_listing_widgets,
    devices_listing_controls,
    devices_listing_activities
from listing
