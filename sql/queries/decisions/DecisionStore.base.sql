-- Through day $2, the active devices of app $1: on the last closed day, and how far the share that reports moved within 28
-- days. And of those that are active now, who is able to list what is on each surface, and did so lately; of two phones with one
-- id nobody knows which list is whose.
with counted as (
    select
        closed_day.day,
        coalesce(sum(device_day.devices_active), 0)::bigint as active,
        coalesce(sum(device_day.devices_reporting), 0)::bigint as reporting
    from census.closed_day
    left join census.device_day
        on device_day.app_number = closed_day.app_number
        and device_day.day = closed_day.day
    where closed_day.app_number = $1
        and closed_day.day between $2::date - 28 and $2
    group by closed_day.day
),
listing as (
    select
        count(*) as devices_active_now,
        count(*) filter (where not is_cloned and coalesce(widgets_until, before_until) > now())
            as devices_listing_widgets,
        -- There are controls since iOS 18.
        count(*) filter (where not is_old) as devices_with_controls,
        count(*) filter (where not is_old and not is_cloned and coalesce(controls_until, before_until) > now())
            as devices_listing_controls,
        count(*) filter (where not is_cloned and coalesce(activities_until, before_until) > now())
            as devices_listing_activities
    from census.device
    cross join lateral (
        select
            platform in ('ios', 'ipados') and coalesce(os_version, '') ~ '^(1[0-7]|[0-9])([.]|$)' as is_old,
            -- An installation that has listed nothing yet goes by the one before.
            case when last_report_at is null then reporting_until end as before_until
    ) as system
    where device.app_number = $1
        and device.silent_at > now()
),
shares as (
    select
        max(reporting::double precision / active) as most,
        min(reporting::double precision / active) as least
    from counted
    where active > 0
)
select
    coalesce(last.active, 0) as devices_active,
    coalesce(last.reporting, 0) as devices_reporting,
    coalesce((shares.most - shares.least) / nullif(shares.most, 0), 0) as coverage_moved,
    (
        select count(*)
        from census.device
        where device.app_number = $1
            and device.zone is null
            -- Silent ones may hold a kind, too.
            and device.silent_at > now() - interval '366 days'
    ) as devices_uncounted,
    (
        select count(*)
        from census.unknown_device
        where unknown_device.app_number = $1
    ) as devices_unknown,
    coalesce((select is_doubted from census.app_night where app_number = $1), false) as is_doubted,
    listing.devices_active_now,
    listing.devices_listing_widgets,
    listing.devices_with_controls,
    listing.devices_listing_controls,
    listing.devices_listing_activities
from shares
cross join listing
left join lateral (
    select
        active,
        reporting
    from counted
    order by day desc
    limit 1
) as last
    on true
