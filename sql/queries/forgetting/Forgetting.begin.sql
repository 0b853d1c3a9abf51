-- Remembers that device $1 of app $2 was forgotten at $3: whatever begins after the commit stores nothing about it. The
-- device_id stays only until everything about the device is deleted.
insert into census.forgotten (device_hash, app_number, forgotten_at, erasing_device_id)
values (sha256(uuid_send($1)), $2, $3, $1)
on conflict (device_hash) do update set
    forgotten_at = excluded.forgotten_at,
    erasing_device_id = excluded.erasing_device_id
