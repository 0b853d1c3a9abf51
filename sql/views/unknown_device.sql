-- unknown_device: devices that were heard from but are not among the active ones, as far as their reports were read.
--
-- Grain    one row per device_id that waits for the reconciler with something new, was set aside, or had an event refused within
--          28 days, and is not counted as active
-- Reads    pending_device, set_aside, refused, counted_device
-- Read by  the coverage that verdicts and preflight rest on: what such a device holds is not known
create or replace view census.unknown_device as
select
    heard.app_number,
    heard.device_id
from (
    select
        app_number,
        device_id
    from census.pending_device
    -- Others wait to be counted anew, though nothing new is known of them.
    where occurred_from < now() + interval '1 day'
        or not exists (
            select 1
            from census.counted_device
            where counted_device.device_id = pending_device.device_id)
    union
    select
        app_number,
        device_id
    from census.set_aside
    union
    select
        app_number,
        device_id
    from census.refused
    where refused_on > (now() at time zone 'UTC')::date - 28
) as heard
where not exists (
    select 1
    from census.counted_device
    where counted_device.device_id = heard.device_id
        and coalesce(counted_device.silent_at, 'infinity') > now());

comment on view census.unknown_device is 'Devices that were heard of and are not counted as active: nobody knows what they hold.';
comment on column census.unknown_device.app_number is 'The app.';
comment on column census.unknown_device.device_id is 'Keyed hash of the app and the device id.';
