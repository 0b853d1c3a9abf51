-- name: acts
-- Every change of the settings of app $1, oldest first; times in the app's zone.
select
    (setting_act.acted_at at time zone app.zone)::date as acted_on,
    setting_act.actor,
    setting_act.reason,
    setting_act.changes::text as changes,
    setting_act.verdicts::text as verdicts
from census.setting_act
join census.app
    on app.app_number = setting_act.app_number
where setting_act.app_number = $1
order by setting_act.act_number

-- name: add
insert into census.app (app_id)
values ($1)
on conflict (app_id) do nothing
returning app_number

-- name: all
select
    app_number,
    app_id,
    zone,
    window_days,
    maximum_kinds,
    maximum_families,
    limit_devices,
    limit_share,
    ready_days,
    minimum_coverage,
    doubted_builds,
    false_alarms
from census.app
order by app_id

-- name: heard
-- What prevents removing app $1: whether any of its events was ever accepted, refused or counted; and its valid keys.
select
    exists (select 1 from census.known_name where app_number = $1)
        or exists (select 1 from census.pending_device where app_number = $1)
        or exists (select 1 from census.device where app_number = $1)
        or exists (select 1 from census.set_aside where app_number = $1)
        or exists (select 1 from census.refused where app_number = $1)
        or exists (select 1 from census.closed_day where app_number = $1)
        or exists (select 1 from census.read_quarter where app_number = $1)
        or exists (select 1 from census.manifest where app_number = $1) as was_heard,
    (
        select count(*)
        from census.api_key
        where app_number = $1
            and (revoked_at is null or revoked_at > now() - interval '1 minute')
    ) as keys

-- name: keepAct
-- Records that $2 changed settings of app $1 because of $3: changes $4 and verdicts $5 as census.setting_act says.
insert into census.setting_act (app_number, actor, reason, changes, verdicts)
values ($1, $2, $3, $4::text::json, $5::text::json)

-- name: lastAct
-- The number of the last change of the settings of app $1; 0 if there is none.
select coalesce(max(act_number), 0)
from census.setting_act
where app_number = $1

-- name: lock
-- While it is held no device is folded, so a change to how devices are counted sees, and queues, every device.
lock table census.settings_lock in exclusive mode

-- name: lockShared
-- Until the transaction ends, no setting of an app changes: see AppRegistry.lock.
lock table census.settings_lock in row share mode

-- name: remove
-- Removes app $1, which has no data, with its settings, its keys and its webhooks.
with removed_key as (
    delete from census.api_key
    where app_number = $1
),
removed_delivery as (
    delete from census.webhook_delivery
    using census.webhook
    where webhook.webhook_number = webhook_delivery.webhook_number
        and webhook.app_number = $1
),
removed_webhook as (
    delete from census.webhook
    where app_number = $1
),
removed_setting_act as (
    delete from census.setting_act
    where app_number = $1
),
removed_kind_act as (
    delete from census.kind_act
    where app_number = $1
),
removed_acknowledgement as (
    delete from census.acknowledgement
    where app_number = $1
),
removed_app_night as (
    delete from census.app_night
    where app_number = $1
)
delete from census.app
where app_number = $1
returning app_id

-- name: set
-- Changes the settings that are given; null leaves one unchanged.
--
-- Zone, window and doubted builds affect what all devices hold, and when. If one changes, all devices are folded and counted
-- again.
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

-- name: zoneOffsets
-- How PostgreSQL interprets the zone $1, at noon of each day from 2015 through 2040.
--
-- One row for the first day, and for each day whose offset from UTC, in seconds, differs from the day before. A name that
-- PostgreSQL does not know fails with 22023. Doesn't use pg_timezone_names, which reads hundreds of files.
with noon as (
    select
        at,
        extract(epoch from (at at time zone $1::text) - (at at time zone 'UTC'))::integer as zone_offset
    from generate_series(
        '2015-01-01 12:00:00+00'::timestamptz, '2040-12-31 12:00:00+00'::timestamptz, interval '24 hours'
    ) as listed (at)
),
compared as (
    select
        at,
        zone_offset,
        lag(zone_offset) over (order by at) as offset_before
    from noon
)
select
    at,
    zone_offset
from compared
where zone_offset is distinct from offset_before
order by at
