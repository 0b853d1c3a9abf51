-- What the observations of some devices through $3 led to. A base that holds more stays: observations were kept for a shorter
-- time when it was written.
insert into census.device_base (device_id, app_number, folded_through, checkpoint)
select
    device_id,
    app_number,
    $3,
    checkpoint
from unnest($1::uuid[], $2::integer[], $4::bytea[]) as folded (device_id, app_number, checkpoint)
on conflict (device_id) do update set
    folded_through = excluded.folded_through,
    checkpoint = excluded.checkpoint
where device_base.folded_through < excluded.folded_through
