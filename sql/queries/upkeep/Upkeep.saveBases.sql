-- Saves the states that the observations of some devices through $3 led to. A base that holds more stays: retention was
-- shorter when it was written.
insert into census.device_base (device_id, app_number, folded_through, state)
select
    device_id,
    app_number,
    $3,
    state
from unnest($1::uuid[], $2::integer[], $4::bytea[]) as folded (device_id, app_number, state)
on conflict (device_id) do update set
    folded_through = excluded.folded_through,
    state = excluded.state
where device_base.folded_through < excluded.folded_through
