-- Through day $2, the active devices of app $1: on the last closed day, and how far the share that reports moved within 28
-- days.
with counted as (
    select
        day,
        sum(devices_active)::bigint as active,
        sum(devices_reporting)::bigint as reporting
    from census.device_day
    where app_number = $1
        and day between $2::date - 28 and $2
    group by day
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
            and device.silent_at > now()
    ) as devices_uncounted,
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
