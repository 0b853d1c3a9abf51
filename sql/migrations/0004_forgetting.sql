-- Devices that asked to be forgotten (docs/decisions/0019-erasure.md).

create table census.forgotten (
    device_hash bytea primary key,
    app_number integer not null,
    forgotten_at timestamptz not null,
    erasing_device_id uuid,
    constraint forgotten_hash_is_one check (length(device_hash) = 32)
);
comment on table census.forgotten is 'Local. Devices that were forgotten: what still comes of them is accepted and dropped, until retention ends.';
comment on column census.forgotten.device_hash is 'SHA-256 of the device_id that it had.';
comment on column census.forgotten.app_number is 'The app.';
comment on column census.forgotten.forgotten_at is 'When that was last asked for.';
comment on column census.forgotten.erasing_device_id is 'The device_id while something of it may still be stored; null: all is gone.';
create index forgotten_unfinished on census.forgotten (forgotten_at)
where erasing_device_id is not null;
