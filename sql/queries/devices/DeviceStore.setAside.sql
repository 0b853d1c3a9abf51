-- Records why devices could not be reconciled and deletes their checkpoints, so a retry folds them from their first observation.
with forgotten as (
    update census.device set
        checkpoint = null
    where device_id = any($1::uuid[])
)
insert into census.set_aside (device_id, app_number, reason, is_implausible)
select
    device_id,
    app_number,
    reason,
    is_implausible
from unnest($1::uuid[], $2::integer[], $3::text[], $4::boolean[]) as failed (
    device_id, app_number, reason, is_implausible)
on conflict (device_id) do update set
    set_aside_at = excluded.set_aside_at,
    reason = excluded.reason,
    is_implausible = excluded.is_implausible
