-- What devices $1 did from month $2 on; all of a device's months where $2 is null.
select
    device_id,
    month,
    use,
    surface,
    kind,
    days,
    events
from unnest($1::uuid[], $2::date[]) as wanted (device_id, from_month)
join census.device_use using (device_id)
where wanted.from_month is null
    or device_use.month >= wanted.from_month
