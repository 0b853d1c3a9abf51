-- name: base
-- Through day $2, the active devices of app $1 on the last closed day, how many of them report and apply the gallery policy,
-- and how much the share that reports changed within 28 days.
with counted as (
    select
        closed_day.day,
        coalesce(sum(device_day.devices_active), 0)::bigint as active,
        coalesce(sum(device_day.devices_reporting), 0)::bigint as reporting,
        coalesce(sum(device_day.devices_active) filter (where device_day.gallery_policy > 0), 0)::bigint as applying
    from census.closed_day
    left join census.device_day
        on device_day.app_number = closed_day.app_number
        and device_day.day = closed_day.day
    where closed_day.app_number = $1
        and closed_day.day between $2::date - 28 and $2
    group by closed_day.day
),
shares as (
    select
        max(reporting::double precision / active) as most,
        min(reporting::double precision / active) as least
    from counted
    where active > 0
)
select
    coalesce(last.active, 0) as devices_active,
    coalesce(last.reporting, 0) as devices_reporting,
    coalesce(last.applying, 0) as devices_applying,
    coalesce((shares.most - shares.least) / nullif(shares.most, 0), 0) as coverage_moved,
    (
        select count(*)
        from census.device
        where device.app_number = $1
            and device.zone is null
            -- Silent devices can hold a kind, too.
            and device.silent_at > now() - interval '366 days'
    ) as devices_uncounted,
    (
        select count(*)
        from census.unknown_device
        where unknown_device.app_number = $1
    ) as devices_unknown,
    (
        select count(*)
        from census.waiting_device
        where waiting_device.app_number = $1
    ) as devices_waiting,
    coalesce((select is_doubted from census.app_night where app_number = $1), false) as is_doubted
from shares
left join lateral (
    select
        active,
        reporting,
        applying
    from counted
    order by day desc
    limit 1
) as last
    on true

-- name: days
-- The closed days of app $1 from day $3 through $2, for each of kinds $5 on surfaces $4: its holders when the day ended, gains
-- and losses, and how many devices were active.
with listed as (
    select
        surface,
        kind
    from unnest($4::text[], $5::text[]) as listed (surface, kind)
),
moved as (
    select
        move_day.day,
        move_day.surface,
        move_day.kind,
        sum(devices_added) filter (where cause = 'installed') as installed,
        sum(devices_added) filter (where cause = 'returned') as returned,
        sum(devices_removed) filter (where cause = 'silent') as fell_silent,
        -- Minus those that proved to hold it after all.
        coalesce(sum(devices_removed) filter (where cause <> 'silent'), 0)
            - coalesce(sum(devices_added) filter (where cause not in ('installed', 'returned')), 0) as removed
    from census.move_day
    join listed
        on listed.surface = move_day.surface
        and listed.kind = move_day.kind
    where move_day.app_number = $1
        and move_day.day between $3 and $2
    group by
        move_day.day,
        move_day.surface,
        move_day.kind
),
base as (
    select
        device_day.day,
        sum(device_day.devices_active)::bigint as active
    from census.device_day
    where device_day.app_number = $1
        and device_day.day between $3 and $2
    group by device_day.day
)
select
    listed.surface,
    listed.kind,
    closed_day.day,
    coalesce(base.active, 0) as active,
    coalesce(kind_day.devices_certain, 0) as certain,
    coalesce(kind_day.devices_possible, 0) as possible,
    coalesce(kind_day.devices_silent, 0) as silent,
    coalesce(moved.installed, 0)::bigint as installed,
    coalesce(moved.removed, 0)::bigint as removed,
    coalesce(moved.fell_silent, 0)::bigint as fell_silent,
    coalesce(moved.returned, 0)::bigint as returned
from listed
join census.closed_day
    on closed_day.app_number = $1
    and closed_day.day between $3 and $2
left join census.kind_day
    on kind_day.app_number = $1
    and kind_day.day = closed_day.day
    and kind_day.surface = listed.surface
    and kind_day.kind = listed.kind
left join base
    on base.day = closed_day.day
left join moved
    on moved.day = closed_day.day
    and moved.surface = listed.surface
    and moved.kind = listed.kind
order by
    listed.surface,
    listed.kind,
    closed_day.day

-- name: dropFuture
-- Deletes the verdicts of app $1 on days that have not ended in its zone, because its previous zone was further east.
delete from census.readiness
using census.app
where app.app_number = $1
    and readiness.app_number = app.app_number
    and readiness.day >= (now() at time zone app.zone)::date

-- name: figures
-- The figures of each kind of app $1 that is legacy or retired, through day $2; or, if $3 is not empty, of kinds $4 on
-- surfaces $3, which are active.
with act as (
    select
        surface,
        kind,
        lifecycle,
        acted_at
    from census.kind_state
    where app_number = $1
        and lifecycle <> 'active'
        and cardinality($3::text[]) = 0
    union all
    select
        surface,
        kind,
        'active',
        null
    from unnest($3::text[], $4::text[]) as asked (surface, kind)
),
-- Since when it is legacy without interruption: the act after the last that made it active.
marked as (
    select
        kind_act.surface,
        kind_act.kind,
        min(kind_act.acted_at) as marked_at,
        (array_agg(kind_act.replaced_by order by kind_act.act_number desc)
            filter (where kind_act.replaced_by is not null))[1] as replaced_by
    from census.kind_act
    where app_number = $1
        and act_number > coalesce((
            select max(earlier.act_number)
            from census.kind_act as earlier
            where earlier.app_number = kind_act.app_number
                and earlier.surface = kind_act.surface
                and earlier.kind = kind_act.kind
                and earlier.lifecycle = 'active'), 0)
    group by
        kind_act.surface,
        kind_act.kind
),
silent as (
    -- As of the last reconciled event, like live_now.
    select
        part.surface,
        part.kind,
        sum(part.devices_silent)::bigint as devices
    from (
        select
            surface,
            kind,
            devices_silent
        from census.kind_day
        where app_number = $1
            and day = (select max(day) from census.closed_day where closed_day.app_number = $1)
        union all
        select
            kind_entry.surface,
            kind_entry.kind,
            kind_entry.devices_silent
        from census.kind_entry
        join census.app
            on app.app_number = kind_entry.app_number
        where kind_entry.app_number = $1
            and kind_entry.day <= (now() at time zone app.zone)::date
    ) as part
    group by
        part.surface,
        part.kind
)
select
    act.surface,
    act.kind,
    act.lifecycle,
    (marked.marked_at at time zone app.zone)::date as marked_on,
    (act.acted_at at time zone app.zone)::date as acted_on,
    marked.replaced_by,
    (
        -- Versions on which devices held it, or versions that devices have run and whose manifest has it.
        select count(*)
        from (
            select version_day.app_version
            from census.closed_day
            join census.version_day
                on version_day.app_number = closed_day.app_number
                and version_day.day = closed_day.day
                and version_day.surface = act.surface
                and version_day.kind = marked.replaced_by
            where closed_day.app_number = $1
                and closed_day.day <= $2
                and version_day.devices_possible > 0
            union
            select manifest_kind.app_version
            from census.manifest_kind
            where manifest_kind.app_number = $1
                and manifest_kind.surface = act.surface
                and manifest_kind.kind = marked.replaced_by
                and exists (
                    select 1
                    from census.device_day
                    where device_day.app_number = manifest_kind.app_number
                        and device_day.app_version = manifest_kind.app_version
                        and device_day.devices_active > 0)
        ) as shipped
    ) as replacement_versions,
    coalesce(live_now.devices_certain, 0) as devices_certain,
    coalesce(live_now.devices_possible, 0) as devices_possible,
    coalesce(live_now.devices_expected, 0)::double precision as devices_expected,
    coalesce(silent.devices, 0) as devices_silent,
    array(
        select loss_watch.to_version
        from census.loss_watch
        where loss_watch.app_number = $1
            and loss_watch.surface = act.surface
            and loss_watch.kind = act.kind
            and loss_watch.state = 'open'
        order by loss_watch.to_version) as open_losses
from census.app
cross join act
left join marked
    on marked.surface = act.surface
    and marked.kind = act.kind
left join report.live_now
    on live_now.app_id = app.app_id
    and live_now.surface = act.surface
    and live_now.kind = act.kind
left join silent
    on silent.surface = act.surface
    and silent.kind = act.kind
where app.app_number = $1
order by
    act.surface,
    act.kind

-- name: holders
-- The devices that held kind $3 on surface $2 of app $1 when its last closed day ended, by versions and platform, the most
-- common first.
select
    day,
    app_version,
    os_version,
    platform,
    devices_certain as certain,
    devices_possible as possible
from census.version_day
where app_number = $1
    and day = (select max(day) from census.closed_day where closed_day.app_number = $1)
    and surface = $2
    and kind = $3
order by
    devices_possible desc,
    app_version,
    os_version,
    platform

-- name: lastEnded
-- The last day that has ended in the zone of app $1, and the newest that is closed.
select
    (now() at time zone zone)::date - 1 as last_ended,
    (
        select max(day)
        from census.closed_day
        where closed_day.app_number = app.app_number
    ) as last_closed
from census.app
where app_number = $1

-- name: pools
-- For each of kinds $3 on surfaces $2 of app $1: how many silent devices possibly hold it, by the day on which they stop
-- counting; and, in a row without a day, how many active ones also hold its replacement $4, if there is one.
with listed as (
    select
        surface,
        kind,
        replaced_by
    from unnest($2::text[], $3::text[], $4::text[]) as listed (surface, kind, replaced_by)
),
-- Spans are stored ahead: one that will end through time alone already has its end.
lasting as not materialized (
    select
        device_id,
        surface,
        kind,
        certain
    from census.span
    where app_number = $1
        and from_at <= now()
        -- Plain conditions, which PostgreSQL can estimate, so it starts with the silent devices if they are few.
        and (to_at is null or to_at > now())
        and (certain > 0 or presumed > 0 or suspect > 0)
),
held as not materialized (
    select
        lasting.device_id,
        lasting.surface,
        lasting.kind,
        listed.replaced_by,
        device.silent_at,
        device.zone
    from listed
    join lasting
        on lasting.surface = listed.surface
        and lasting.kind = listed.kind
    join census.device
        on device.device_id = lasting.device_id
)
select
    surface,
    kind,
    (silent_at at time zone zone)::date + 365 as expires_on,
    count(distinct device_id) as devices
from held
where silent_at <= now()
    -- Others have been silent for more than a year.
    and silent_at > now() - interval '366 days'
group by
    surface,
    kind,
    expires_on
union all
select
    surface,
    kind,
    null,
    count(distinct device_id)
from held
where silent_at > now()
    and replaced_by is not null
    and exists (
        select 1
        from lasting as other
        where other.device_id = held.device_id
            and other.surface = held.surface
            and other.kind = held.replaced_by
            and other.certain > 0)
group by
    surface,
    kind

-- name: previous
-- The newest stored verdict on each kind of app $1 that was legacy then.
select
    surface,
    kind,
    verdict
from (
    select distinct on (surface, kind)
        surface,
        kind,
        lifecycle,
        verdict
    from census.readiness
    where app_number = $1
    order by
        surface,
        kind,
        day desc
) as newest
where lifecycle = 'legacy'

-- name: save
-- Saves verdicts, given as $1: an array of objects with the names of the table's columns.
insert into census.readiness (
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
    half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures)
select
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
    half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures
from json_populate_recordset(null::census.readiness, $1::json)
on conflict (app_number, surface, kind, day) do update set
    decided_at = now(),
    lifecycle = excluded.lifecycle,
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    devices_expected = excluded.devices_expected,
    devices_silent = excluded.devices_silent,
    devices_active = excluded.devices_active,
    devices_reporting = excluded.devices_reporting,
    devices_with_replacement = excluded.devices_with_replacement,
    limit_devices = excluded.limit_devices,
    half_life_days = excluded.half_life_days,
    half_life_low = excluded.half_life_low,
    half_life_high = excluded.half_life_high,
    ready_on = excluded.ready_on,
    ready_on_earliest = excluded.ready_on_earliest,
    ready_on_latest = excluded.ready_on_latest,
    forecast = excluded.forecast,
    verdict = excluded.verdict,
    reason = excluded.reason,
    figures = excluded.figures

-- name: systems
-- The active devices of app $1 by platform and OS, which decide what surfaces they can have: on the last closed day through $2;
-- and now, with those that recently sent the list of each surface. Leaves out lists of phones that share an id, because it is
-- unknown which phone sent them.
with last_day as (
    select max(day) as day
    from census.closed_day
    where app_number = $1
        and day between $2::date - 28 and $2
),
counted as (
    select
        platform,
        os_version,
        sum(devices_active)::bigint as devices_active,
        sum(devices_reporting)::bigint as devices_reporting
    from census.device_day
    where app_number = $1
        and day = (select day from last_day)
    group by
        platform,
        os_version
),
listing as (
    select
        platform,
        coalesce(os_version, '') as os_version,
        count(*) as devices_active_now,
        count(*) filter (where not is_cloned and coalesce(widgets_until, before_until) > now())
            as devices_listing_widgets,
        count(*) filter (where not is_cloned and coalesce(controls_until, before_until) > now())
            as devices_listing_controls,
        count(*) filter (where not is_cloned and coalesce(activities_until, before_until) > now())
            as devices_listing_activities
    from census.device
    cross join lateral (
        -- An installation that has not sent a list yet counts by the previous one.
        select case when last_report_at is null then reporting_until end as before_until
    ) as installation
    where device.app_number = $1
        and device.silent_at > now()
    group by
        platform,
        coalesce(os_version, '')
)
select
    platform,
    os_version,
    devices_active as active,
    devices_reporting as reporting,
    0::bigint as active_now,
    0::bigint as listing_widgets,
    0::bigint as listing_controls,
    0::bigint as listing_activities
from counted
union all
select
    platform,
    os_version,
    0,
    0,
    devices_active_now,
    devices_listing_widgets,
    devices_listing_controls,
    devices_listing_activities
from listing
