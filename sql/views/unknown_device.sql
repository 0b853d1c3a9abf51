-- unknown_device: devices that sent something but do not count as active, so nobody knows what they have.
--
-- Grain    one row per device_id that is not counted as active, and waits for the reconciler with something new, was set aside,
--          or had an event refused within 28 days
-- Reads    pending_device, set_aside, refused, counted_device
-- Read by  the coverage behind verdicts and preflight
create or replace view census.unknown_device as
select
    heard.app_number,
    heard.device_id
from (
    select
        app_number,
        device_id
    from census.pending_device
    -- Skip devices that only wait to be recounted: there is nothing new about them.
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

comment on view census.unknown_device is 'Devices that sent something but are not counted as active: nobody knows which widgets they have.';
comment on column census.unknown_device.app_number is 'The app.';
comment on column census.unknown_device.device_id is 'Keyed hash of the app and the device id.';
