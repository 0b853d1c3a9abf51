-- From when on events of devices $1 of apps $2 are taken. What is older a device's base holds, or the device may be a forgotten one
-- whose hash is gone. Of other devices anything is taken.
with base as materialized (
    select
        device_id,
        folded_through + interval '1 microsecond' as folded_before
    from census.device_base
    where device_id = any($1::uuid[])
)
select
    asked.device_id,
    least(retention.kept_from::timestamp at time zone 'UTC', base.folded_before) as taken_from
from unnest($1::uuid[], $2::integer[]) as asked (device_id, app_number)
cross join census.retention
left join base
    on base.device_id = asked.device_id
where retention.kept_from is not null
    and (
        base.device_id is not null
        or asked.app_number = any(retention.apps_with_expired_hashes))
