-- name: cells
-- The counts of app $1, cell by cell: the closed days from $2 to $5 or all, of surface $3 or all, of kind $4 or all; with the
-- naive number of devices.
select
    live_kinds.day,
    live_kinds.surface,
    live_kinds.kind,
    live_kinds.devices_certain as certain,
    live_kinds.devices_possible as possible,
    live_kinds.devices_expected::double precision as expected,
    live_kinds.devices_reported as reported
from report.live_kinds
where live_kinds.app_id = $1
    and live_kinds.day >= coalesce($2::date, '-infinity')
    and live_kinds.day <= coalesce($5::date, 'infinity')
    and ($3::text is null or live_kinds.surface = $3)
    and ($4::text is null or live_kinds.kind = $4)
order by live_kinds.day

-- name: facts
-- Why a report of app $1 (null: of all) might have no rows: the available data, days and kinds.
with chosen as (
    select app_number
    from census.app
    where $1::text is null
        or app_id = $1
)
select
    (
        select count(*)
        from chosen
    ) as apps,
    exists (
        select 1
        from census.device
        where app_number in (select app_number from chosen)
    ) as has_devices,
    exists (
        select 1
        from census.pending_device
        where app_number in (select app_number from chosen)
    ) as has_pending,
    exists (
        select 1
        from census.known_name
        where dimension = 'app_version'
            and app_number in (select app_number from chosen)
    ) as has_names,
    (
        select count(*)
        from census.refused
        where app_number in (select app_number from chosen)
    ) as refused,
    (
        select min(day)
        from census.closed_day
        where app_number in (select app_number from chosen)
    ) as first_day,
    (
        select max(day)
        from census.closed_day
        where app_number in (select app_number from chosen)
    ) as last_day,
    array(
        select distinct name
        from census.known_name
        where dimension = 'kind'
            and app_number in (select app_number from chosen)
        order by name
    ) as kinds

-- name: shadow
-- Each closed day of app $1 from $2 through $3, for each kind that it ever counted: the counts when the day ended, the day's
-- changes by cause, and what makes other tools count otherwise.
with chosen as (
    select app_number
    from census.app
    where app_id = $1
),
kinds as (
    select distinct
        kind_day.surface,
        kind_day.kind
    from chosen
    join census.kind_day
        on kind_day.app_number = chosen.app_number
),
active as (
    select
        active.day,
        active.surface,
        active.kind,
        sum(active.devices_daily) as devices_daily,
        sum(active.devices_weekly) as devices_weekly
    from report.active
    where active.app_id = $1
        and active.day between $2 and $3
        and active.kind is not null
        and active.family is null
    group by
        active.day,
        active.surface,
        active.kind
),
changed as (
    select
        changes.day,
        changes.surface,
        changes.kind,
        sum(changes.widgets_added) filter (where changes.cause = 'installed') as added_installed,
        sum(changes.widgets_added) filter (where changes.cause = 'configured') as added_configured,
        sum(changes.widgets_added) filter (where changes.cause = 'returned') as added_returned,
        sum(changes.widgets_removed) filter (where changes.cause = 'removed') as removed_removed,
        sum(changes.widgets_removed) filter (where changes.cause = 'configured') as removed_configured,
        sum(changes.widgets_removed) filter (where changes.cause = 'reinstalled') as removed_reinstalled,
        sum(changes.widgets_removed) filter (where changes.cause = 'upgrade_loss') as removed_upgrade_loss,
        sum(changes.widgets_removed) filter (where changes.cause = 'silent') as removed_silent
    from report.changes
    where changes.app_id = $1
        and changes.day between $2 and $3
    group by
        changes.day,
        changes.surface,
        changes.kind
),
told as (
    select
        use_day.day,
        use_day.surface,
        use_day.kind,
        sum(use_day.events) filter (where use_day.use = 'installed') as installed,
        sum(use_day.events) filter (where use_day.use = 'removed') as removed
    from chosen
    join census.use_day
        on use_day.app_number = chosen.app_number
    where use_day.day between $2 and $3
    group by
        use_day.day,
        use_day.surface,
        use_day.kind
)
select
    coverage.day,
    kinds.surface,
    kinds.kind,
    coalesce(live_kinds.devices_certain, 0) as devices_certain,
    coalesce(live_kinds.devices_possible, 0) as devices_possible,
    coalesce(live_kinds.devices_expected, 0)::double precision as devices_expected,
    coalesce(live_kinds.devices_reported, 0) as devices_reported,
    coalesce(kind_day.devices_silent, 0) as devices_silent,
    coalesce(active.devices_daily, 0)::bigint as devices_daily,
    coalesce(active.devices_weekly, 0)::bigint as devices_weekly,
    coalesce(live_kinds.widgets_certain, 0) as widgets_certain,
    coalesce(live_kinds.widgets_possible, 0) as widgets_possible,
    coalesce(live_kinds.widgets_reported, 0) as widgets_reported,
    coalesce(changed.added_installed, 0)::bigint as added_installed,
    coalesce(changed.added_configured, 0)::bigint as added_configured,
    coalesce(changed.added_returned, 0)::bigint as added_returned,
    coalesce(changed.removed_removed, 0)::bigint as removed_removed,
    coalesce(changed.removed_configured, 0)::bigint as removed_configured,
    coalesce(changed.removed_reinstalled, 0)::bigint as removed_reinstalled,
    coalesce(changed.removed_upgrade_loss, 0)::bigint as removed_upgrade_loss,
    coalesce(changed.removed_silent, 0)::bigint as removed_silent,
    coalesce(told.installed, 0)::bigint as events_installed,
    coalesce(told.removed, 0)::bigint as events_removed,
    coverage.devices_active,
    coverage.reads_failed
from report.coverage
cross join chosen
cross join kinds
left join report.live_kinds
    on live_kinds.app_id = $1
    and live_kinds.day = coverage.day
    and live_kinds.surface = kinds.surface
    and live_kinds.kind = kinds.kind
left join census.kind_day
    on kind_day.app_number = chosen.app_number
    and kind_day.day = coverage.day
    and kind_day.surface = kinds.surface
    and kind_day.kind = kinds.kind
left join active
    on active.day = coverage.day
    and active.surface = kinds.surface
    and active.kind = kinds.kind
left join changed
    on changed.day = coverage.day
    and changed.surface = kinds.surface
    and changed.kind = kinds.kind
left join told
    on told.day = coverage.day
    and told.surface = kinds.surface
    and told.kind = kinds.kind
where coverage.app_id = $1
    and coverage.day between $2 and $3
order by
    coverage.day,
    kinds.surface,
    kinds.kind
