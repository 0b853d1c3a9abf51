counted as (
    select
        device_use.month + done.day_of_month - 1 as day,
        device_use.surface,
        device_use.kind,
        device_use.use,
        count(*) as devices,
        sum(done.events) as events
    from census.device_use
    cross join lateral unnest(device_use.days, device_use.events) as done (day_of_month, events)
    where device_use.app_number = $1
        and device_use.use <> 'heard'
        and device_use.month + done.day_of_month - 1 in (select day from census.closed_day where app_number = $1)
    group by
        device_use.month + done.day_of_month - 1,
        device_use.surface,
        device_use.kind,
        device_use.use
)
