-- From when on events of devices $1 of apps $2 are taken. What is older a device's base holds, or the device may be a forgotten one
-- whose hash is gone. Of other devices anything is taken.
with base as materialized (
    select
        device_id,
        folded_through + interval '1 microsecond' as folded_before
    from census.device_base
    where device_id = any($1::uuid[])
),
kept as (
    select
        kept_from::timestamp at time zone 'UTC' as kept_from,
        apps_with_expired_hashes
    from census.retention
    where kept_from is not null
)
select
    base.device_id,
    least(kept.kept_from, base.folded_before) as taken_from
from base
cross join kept
union all
-- No join: Citus mistakes the columns of one with several arrays.
select
    device_id,
    (
        select kept_from
        from kept) as taken_from
from unnest($1::uuid[], $2::integer[]) as asked (device_id, app_number)
where app_number = any((
    select apps_with_expired_hashes
    from kept)::integer[])
    and device_id not in (select base.device_id from base)
