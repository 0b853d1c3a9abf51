-- Through day $2, the active devices of app $1: on the last closed day, and how far the share that reports moved within 28
-- days.
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
    (
        select count(distinct pending_device.device_id)
        from census.pending_device
        join census.counted_device
            on counted_device.device_id = pending_device.device_id
        where pending_device.app_number = $1
            -- Others wait to be counted anew, though nothing new is known of them.
            and pending_device.occurred_from < now() + interval '1 day'
            and coalesce(counted_device.silent_at, 'infinity') > now()
    ) as devices_waiting,
    coalesce((select is_doubted from census.app_night where app_number = $1), false) as is_doubted
from shares
left join lateral (
    select
        active,
        reporting
    from counted
    order by day desc
    limit 1
) as last
    on true
