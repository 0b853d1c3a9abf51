-- Changes the settings that are given; null leaves one unchanged.
--
-- Zone, window and doubted builds decide what all devices hold, and when: when one changes, all are folded and counted again.
with before as (
    select
        app_number,
        zone,
        window_days,
        doubted_builds
    from census.app
    where app_id = $1
),
changed as (
    update census.app set
        zone = coalesce($2, zone),
        window_days = coalesce($3, window_days),
        maximum_kinds = coalesce($4, maximum_kinds),
        maximum_families = coalesce($5, maximum_families),
        limit_devices = coalesce($6, limit_devices),
        limit_share = coalesce($7, limit_share),
        ready_days = coalesce($8, ready_days),
        minimum_coverage = coalesce($9, minimum_coverage),
        doubted_builds = coalesce($10, doubted_builds),
        false_alarms = coalesce($11, false_alarms)
    where app_id = $1
    returning
        app_number,
        zone,
        window_days,
        doubted_builds
),
recounted as (
    select changed.app_number
    from changed
    join before
        on before.app_number = changed.app_number
    where (before.zone, before.window_days, before.doubted_builds)
        is distinct from (changed.zone, changed.window_days, changed.doubted_builds)
),
queued as (
    insert into census.pending_device (app_number, device_id)
    select
        device.app_number,
        device.device_id
    from recounted
    join census.device
        on device.app_number = recounted.app_number
)
select app_number
from changed
