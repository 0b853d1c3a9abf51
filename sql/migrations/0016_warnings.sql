-- What the door took and is probably a mistake of the app, and keys whose events never count.

create table census.warned (
    device_id uuid not null,
    warned_on date not null,
    code text not null,
    app_number integer not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    app_version text not null,
    pointer text not null,
    message text not null,
    primary key (device_id, warned_on, code)
);
create index warned_app on census.warned (app_number, warned_on, code, app_version);
comment on table census.warned is 'Device. The newest of each day''s warnings, by device and code.';
comment on column census.warned.device_id is 'Keyed hash of the app and the device id.';
comment on column census.warned.warned_on is 'The day of receipt, in UTC.';
comment on column census.warned.code is 'What is probably wrong, as the sender was told.';
comment on column census.warned.app_number is 'The app.';
comment on column census.warned.occurred_at is 'When the newest event of the batch that it is about happened, by the device''s clock.';
comment on column census.warned.received_at is 'When that batch arrived.';
comment on column census.warned.app_version is 'The version that sent that batch.';
comment on column census.warned.pointer is 'RFC 6901: the place in that batch.';
comment on column census.warned.message is 'The sentence that the sender got.';

alter table census.api_key add column channel text;
alter table census.api_key add constraint api_key_channel_never_counts check (
    channel is null or (channel <> 'production' and role = 'write'));
comment on column census.api_key.channel is 'The channel of everything that is sent with it, whatever the batch says; null: as the batch says.';
