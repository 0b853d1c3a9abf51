-- Made by scripts/generate-sql from sql/ledger: edit that.

-- name: analyze
-- Tells the planner how much the last night and the reconcilers left: it assumes that a table that was empty
-- still is, and a night of seconds then took a minute. Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.kind_entry,
    census.kind_unsettled_entry,
    census.version_entry,
    census.install_entry,
    census.device_entry,
    census.change_entry,
    census.move_entry,
    census.outcome_entry,
    census.active_entry,
    census.overlap_entry,
    census.use_entry,
    census.cohort_entry

-- name: analyzeCounted
-- Analyzes all tables that a check reads: without statistics they pass for empty, and are joined row by row.
-- Autovacuum may not have reached them yet, as after a dump was restored, and never reaches those with a few rows.
-- Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.app,
    census.closed_day,
    census.device,
    census.device_use,
    census.kind_act,
    census.loss_detail,
    census.loss_origin,
    census.loss_watch,
    census.manifest,
    census.manifest_kind,
    census.phase,
    census.read_entry,
    census.read_quarter,
    census.readiness,
    census.reconciled,
    census.refused,
    census.span,
    census.warned,
    census.kind_day,
    census.kind_entry,
    census.kind_day_unsettled,
    census.kind_unsettled_entry,
    census.version_day,
    census.version_entry,
    census.install_day,
    census.install_entry,
    census.device_day,
    census.device_entry,
    census.change_day,
    census.change_entry,
    census.move_day,
    census.move_entry,
    census.outcome_day,
    census.outcome_entry,
    census.active_day,
    census.active_entry,
    census.overlap_day,
    census.overlap_entry,
    census.use_day,
    census.use_entry,
    census.cohort_day,
    census.cohort_entry

-- name: applyActive
-- Makes levels of the net changes of active_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.active_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        scope,
        surface,
        kind,
        family,
        platform,
        devices_daily,
        devices_weekly,
        devices_in_window
),
net as (
    select
        day,
        scope,
        surface,
        kind,
        family,
        platform,
        sum(devices_daily)::bigint as devices_daily,
        sum(devices_weekly)::bigint as devices_weekly,
        sum(devices_in_window)::bigint as devices_in_window
    from taken
    group by
        day,
        scope,
        surface,
        kind,
        family,
        platform
),
touched as (
    select
        scope,
        surface,
        kind,
        family,
        platform,
        min(day) as first_day
    from net
    group by
        scope,
        surface,
        kind,
        family,
        platform
),
running as (
    select
        closed_day.day,
        touched.scope,
        touched.surface,
        touched.kind,
        touched.family,
        touched.platform,
        (sum(net.devices_daily) over so_far)::bigint as devices_daily,
        (sum(net.devices_weekly) over so_far)::bigint as devices_weekly,
        (sum(net.devices_in_window) over so_far)::bigint as devices_in_window
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.scope = touched.scope
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.family = touched.family
        and net.platform = touched.platform
    window so_far as (
        partition by
            touched.scope,
            touched.surface,
            touched.kind,
            touched.family,
            touched.platform
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.scope,
        running.surface,
        running.kind,
        running.family,
        running.platform,
        coalesce(active_day.devices_daily, 0) + running.devices_daily as devices_daily,
        coalesce(active_day.devices_weekly, 0) + running.devices_weekly as devices_weekly,
        coalesce(active_day.devices_in_window, 0) + running.devices_in_window as devices_in_window
    from running
    left join census.active_day
        on active_day.app_number = $1
        and active_day.day = running.day
        and active_day.scope = running.scope
        and active_day.surface = running.surface
        and active_day.kind = running.kind
        and active_day.family = running.family
        and active_day.platform = running.platform
    where running.devices_daily <> 0
        or running.devices_weekly <> 0
        or running.devices_in_window <> 0
)
insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    $1,
    day,
    scope,
    surface,
    kind,
    family,
    platform,
    devices_daily,
    devices_weekly,
    devices_in_window
from restated
on conflict (app_number, day, scope, surface, kind, family, platform) do update set
    devices_daily = excluded.devices_daily,
    devices_weekly = excluded.devices_weekly,
    devices_in_window = excluded.devices_in_window
returning active_day.day

-- name: applyChanges
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to change_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.change_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        family,
        cause,
        widgets_added,
        widgets_removed
),
net as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        sum(widgets_added)::bigint as widgets_added,
        sum(widgets_removed)::bigint as widgets_removed
    from taken
    group by
        day,
        surface,
        kind,
        family,
        cause
)
insert into census.change_day (
    app_number, day, surface, kind, family, cause, widgets_added, widgets_removed)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.family,
    net.cause,
    coalesce(change_day.widgets_added, 0) + net.widgets_added,
    coalesce(change_day.widgets_removed, 0) + net.widgets_removed
from net
left join census.change_day
    on change_day.app_number = $1
    and change_day.day = net.day
    and change_day.surface = net.surface
    and change_day.kind = net.kind
    and change_day.family = net.family
    and change_day.cause = net.cause
where net.widgets_added <> 0
    or net.widgets_removed <> 0
on conflict (app_number, day, surface, kind, family, cause) do update set
    widgets_added = excluded.widgets_added,
    widgets_removed = excluded.widgets_removed
returning change_day.day

-- name: applyCohorts
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to cohort_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.cohort_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        week,
        devices_placed,
        devices_certain,
        devices_possible
),
net as (
    select
        day,
        surface,
        kind,
        week,
        sum(devices_placed)::bigint as devices_placed,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible
    from taken
    group by
        day,
        surface,
        kind,
        week
)
insert into census.cohort_day (
    app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.week,
    coalesce(cohort_day.devices_placed, 0) + net.devices_placed,
    coalesce(cohort_day.devices_certain, 0) + net.devices_certain,
    coalesce(cohort_day.devices_possible, 0) + net.devices_possible
from net
left join census.cohort_day
    on cohort_day.app_number = $1
    and cohort_day.day = net.day
    and cohort_day.surface = net.surface
    and cohort_day.kind = net.kind
    and cohort_day.week = net.week
where net.devices_placed <> 0
    or net.devices_certain <> 0
    or net.devices_possible <> 0
on conflict (app_number, day, surface, kind, week) do update set
    devices_placed = excluded.devices_placed,
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible
returning cohort_day.day

-- name: applyDevices
-- Makes levels of the net changes of device_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.device_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        app_version,
        os_version,
        platform,
        gallery_policy,
        devices_active,
        devices_with_widget,
        devices_reporting,
        devices_cloned
),
net as (
    select
        day,
        app_version,
        os_version,
        platform,
        gallery_policy,
        sum(devices_active)::bigint as devices_active,
        sum(devices_with_widget)::bigint as devices_with_widget,
        sum(devices_reporting)::bigint as devices_reporting,
        sum(devices_cloned)::bigint as devices_cloned
    from taken
    group by
        day,
        app_version,
        os_version,
        platform,
        gallery_policy
),
touched as (
    select
        app_version,
        os_version,
        platform,
        gallery_policy,
        min(day) as first_day
    from net
    group by
        app_version,
        os_version,
        platform,
        gallery_policy
),
running as (
    select
        closed_day.day,
        touched.app_version,
        touched.os_version,
        touched.platform,
        touched.gallery_policy,
        (sum(net.devices_active) over so_far)::bigint as devices_active,
        (sum(net.devices_with_widget) over so_far)::bigint as devices_with_widget,
        (sum(net.devices_reporting) over so_far)::bigint as devices_reporting,
        (sum(net.devices_cloned) over so_far)::bigint as devices_cloned
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.app_version = touched.app_version
        and net.os_version = touched.os_version
        and net.platform = touched.platform
        and net.gallery_policy = touched.gallery_policy
    window so_far as (
        partition by
            touched.app_version,
            touched.os_version,
            touched.platform,
            touched.gallery_policy
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.app_version,
        running.os_version,
        running.platform,
        running.gallery_policy,
        coalesce(device_day.devices_active, 0) + running.devices_active as devices_active,
        coalesce(device_day.devices_with_widget, 0) + running.devices_with_widget as devices_with_widget,
        coalesce(device_day.devices_reporting, 0) + running.devices_reporting as devices_reporting,
        coalesce(device_day.devices_cloned, 0) + running.devices_cloned as devices_cloned
    from running
    left join census.device_day
        on device_day.app_number = $1
        and device_day.day = running.day
        and device_day.app_version = running.app_version
        and device_day.os_version = running.os_version
        and device_day.platform = running.platform
        and device_day.gallery_policy = running.gallery_policy
    where running.devices_active <> 0
        or running.devices_with_widget <> 0
        or running.devices_reporting <> 0
        or running.devices_cloned <> 0
)
insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned)
select
    $1,
    day,
    app_version,
    os_version,
    platform,
    gallery_policy,
    devices_active,
    devices_with_widget,
    devices_reporting,
    devices_cloned
from restated
on conflict (app_number, day, app_version, os_version, platform, gallery_policy) do update set
    devices_active = excluded.devices_active,
    devices_with_widget = excluded.devices_with_widget,
    devices_reporting = excluded.devices_reporting,
    devices_cloned = excluded.devices_cloned
returning device_day.day

-- name: applyInstalls
-- Makes levels of the net changes of install_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.install_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        cell,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible,
        widgets_reported
),
net as (
    select
        day,
        cell,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible,
        sum(widgets_reported)::bigint as widgets_reported
    from taken
    group by
        day,
        cell
),
touched as (
    select distinct on (cell)
        cell,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        day as first_day
    from taken
    order by
        cell,
        day
),
running as (
    select
        closed_day.day,
        touched.cell,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
        (sum(net.widgets_reported) over so_far)::bigint as widgets_reported
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.cell = touched.cell
    window so_far as (
        partition by
            touched.cell
        order by closed_day.day)
),
restated as (
    select
        running.day,
        touched.surface,
        touched.kind,
        touched.family,
        touched.app_version,
        touched.os_version,
        touched.platform,
        coalesce(install_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(install_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(install_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(install_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
        coalesce(install_day.widgets_reported, 0) + running.widgets_reported as widgets_reported
    from running
    join touched
        on touched.cell = running.cell
    left join census.install_day
        on install_day.app_number = $1
        and install_day.day = running.day
        and install_day.cell = running.cell
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
        or running.widgets_reported <> 0
)
insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported)
select
    $1,
    day,
    surface,
    kind,
    family,
    app_version,
    os_version,
    platform,
    devices_certain,
    devices_possible,
    widgets_certain,
    widgets_possible,
    widgets_reported
from restated
on conflict (app_number, day, cell) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible,
    widgets_reported = excluded.widgets_reported
returning install_day.day

-- name: applyKinds
-- Makes levels of the net changes of kind_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- On the days $3, which are closed for the first time, the result is also the number first known.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.kind_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        devices_certain,
        devices_possible,
        devices_still_there,
        devices_reported,
        devices_silent,
        widgets_certain,
        widgets_possible,
        widgets_reported,
        widgets_suspect,
        widgets_gone,
        widgets_still_there
),
net as (
    select
        day,
        surface,
        kind,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(devices_still_there)::bigint as devices_still_there,
        sum(devices_reported)::bigint as devices_reported,
        sum(devices_silent)::bigint as devices_silent,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible,
        sum(widgets_reported)::bigint as widgets_reported,
        sum(widgets_suspect)::bigint as widgets_suspect,
        sum(widgets_gone)::bigint as widgets_gone,
        sum(widgets_still_there)::bigint as widgets_still_there
    from taken
    group by
        day,
        surface,
        kind
),
touched as (
    select
        surface,
        kind,
        min(day) as first_day
    from net
    group by
        surface,
        kind
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.devices_still_there) over so_far)::bigint as devices_still_there,
        (sum(net.devices_reported) over so_far)::bigint as devices_reported,
        (sum(net.devices_silent) over so_far)::bigint as devices_silent,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible,
        (sum(net.widgets_reported) over so_far)::bigint as widgets_reported,
        (sum(net.widgets_suspect) over so_far)::bigint as widgets_suspect,
        (sum(net.widgets_gone) over so_far)::bigint as widgets_gone,
        (sum(net.widgets_still_there) over so_far)::bigint as widgets_still_there
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
    window so_far as (
        partition by
            touched.surface,
            touched.kind
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        coalesce(kind_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(kind_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(kind_day.devices_still_there, 0) + running.devices_still_there as devices_still_there,
        coalesce(kind_day.devices_reported, 0) + running.devices_reported as devices_reported,
        coalesce(kind_day.devices_silent, 0) + running.devices_silent as devices_silent,
        coalesce(kind_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(kind_day.widgets_possible, 0) + running.widgets_possible as widgets_possible,
        coalesce(kind_day.widgets_reported, 0) + running.widgets_reported as widgets_reported,
        coalesce(kind_day.widgets_suspect, 0) + running.widgets_suspect as widgets_suspect,
        coalesce(kind_day.widgets_gone, 0) + running.widgets_gone as widgets_gone,
        coalesce(kind_day.widgets_still_there, 0) + running.widgets_still_there as widgets_still_there,
        kind_day.devices_certain_first_known,
        kind_day.devices_possible_first_known
    from running
    left join census.kind_day
        on kind_day.app_number = $1
        and kind_day.day = running.day
        and kind_day.surface = running.surface
        and kind_day.kind = running.kind
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.devices_still_there <> 0
        or running.devices_reported <> 0
        or running.devices_silent <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
        or running.widgets_reported <> 0
        or running.widgets_suspect <> 0
        or running.widgets_gone <> 0
        or running.widgets_still_there <> 0
)
insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there, devices_certain_first_known, devices_possible_first_known)
select
    $1,
    day,
    surface,
    kind,
    devices_certain,
    devices_possible,
    devices_still_there,
    devices_reported,
    devices_silent,
    widgets_certain,
    widgets_possible,
    widgets_reported,
    widgets_suspect,
    widgets_gone,
    widgets_still_there,
    case when day = any($3::date[]) then devices_certain else coalesce(devices_certain_first_known, 0) end,
    case when day = any($3::date[]) then devices_possible else coalesce(devices_possible_first_known, 0) end
from restated
on conflict (app_number, day, surface, kind) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    devices_still_there = excluded.devices_still_there,
    devices_reported = excluded.devices_reported,
    devices_silent = excluded.devices_silent,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible,
    widgets_reported = excluded.widgets_reported,
    widgets_suspect = excluded.widgets_suspect,
    widgets_gone = excluded.widgets_gone,
    widgets_still_there = excluded.widgets_still_there,
    devices_certain_first_known = excluded.devices_certain_first_known,
    devices_possible_first_known = excluded.devices_possible_first_known
returning kind_day.day

-- name: applyMoves
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to move_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.move_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        widgets_added,
        widgets_removed,
        devices_added,
        devices_removed
),
net as (
    select
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        sum(widgets_added)::bigint as widgets_added,
        sum(widgets_removed)::bigint as widgets_removed,
        sum(devices_added)::bigint as devices_added,
        sum(devices_removed)::bigint as devices_removed
    from taken
    group by
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform
)
insert into census.move_day (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.cause,
    net.app_version,
    net.os_version,
    net.platform,
    coalesce(move_day.widgets_added, 0) + net.widgets_added,
    coalesce(move_day.widgets_removed, 0) + net.widgets_removed,
    coalesce(move_day.devices_added, 0) + net.devices_added,
    coalesce(move_day.devices_removed, 0) + net.devices_removed
from net
left join census.move_day
    on move_day.app_number = $1
    and move_day.day = net.day
    and move_day.surface = net.surface
    and move_day.kind = net.kind
    and move_day.cause = net.cause
    and move_day.app_version = net.app_version
    and move_day.os_version = net.os_version
    and move_day.platform = net.platform
where net.widgets_added <> 0
    or net.widgets_removed <> 0
    or net.devices_added <> 0
    or net.devices_removed <> 0
on conflict (app_number, day, surface, kind, cause, app_version, os_version, platform) do update set
    widgets_added = excluded.widgets_added,
    widgets_removed = excluded.widgets_removed,
    devices_added = excluded.devices_added,
    devices_removed = excluded.devices_removed
returning move_day.day

-- name: applyOutcomes
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to outcome_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.outcome_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        platform,
        os_version,
        claim_rule,
        suspects_settled,
        suspects_still_there,
        suspect_seconds
),
net as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(suspects_settled)::bigint as suspects_settled,
        sum(suspects_still_there)::bigint as suspects_still_there,
        sum(suspect_seconds)::bigint as suspect_seconds
    from taken
    group by
        day,
        platform,
        os_version,
        claim_rule
)
insert into census.outcome_day (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds)
select
    $1,
    net.day,
    net.platform,
    net.os_version,
    net.claim_rule,
    coalesce(outcome_day.suspects_settled, 0) + net.suspects_settled,
    coalesce(outcome_day.suspects_still_there, 0) + net.suspects_still_there,
    coalesce(outcome_day.suspect_seconds, 0) + net.suspect_seconds
from net
left join census.outcome_day
    on outcome_day.app_number = $1
    and outcome_day.day = net.day
    and outcome_day.platform = net.platform
    and outcome_day.os_version = net.os_version
    and outcome_day.claim_rule = net.claim_rule
where net.suspects_settled <> 0
    or net.suspects_still_there <> 0
    or net.suspect_seconds <> 0
on conflict (app_number, day, platform, os_version, claim_rule) do update set
    suspects_settled = excluded.suspects_settled,
    suspects_still_there = excluded.suspects_still_there,
    suspect_seconds = excluded.suspect_seconds
returning outcome_day.day

-- name: applyOverlaps
-- Makes levels of the net changes of overlap_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.overlap_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        other_kind,
        devices
),
net as (
    select
        day,
        surface,
        kind,
        other_kind,
        sum(devices)::bigint as devices
    from taken
    group by
        day,
        surface,
        kind,
        other_kind
),
touched as (
    select
        surface,
        kind,
        other_kind,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        other_kind
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.other_kind,
        (sum(net.devices) over so_far)::bigint as devices
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.other_kind = touched.other_kind
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.other_kind
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.other_kind,
        coalesce(overlap_day.devices, 0) + running.devices as devices
    from running
    left join census.overlap_day
        on overlap_day.app_number = $1
        and overlap_day.day = running.day
        and overlap_day.surface = running.surface
        and overlap_day.kind = running.kind
        and overlap_day.other_kind = running.other_kind
    where running.devices <> 0
)
insert into census.overlap_day (
    app_number, day, surface, kind, other_kind, devices)
select
    $1,
    day,
    surface,
    kind,
    other_kind,
    devices
from restated
on conflict (app_number, day, surface, kind, other_kind) do update set
    devices = excluded.devices
returning overlap_day.day

-- name: applyUnsettled
-- Makes levels of the net changes of kind_day_unsettled: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.kind_unsettled_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        devices
),
net as (
    select
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        sum(devices)::bigint as devices
    from taken
    group by
        day,
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
touched as (
    select
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        platform,
        os_version,
        claim_rule
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.platform,
        touched.os_version,
        touched.claim_rule,
        (sum(net.devices) over so_far)::bigint as devices
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.platform = touched.platform
        and net.os_version = touched.os_version
        and net.claim_rule = touched.claim_rule
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.platform,
            touched.os_version,
            touched.claim_rule
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.platform,
        running.os_version,
        running.claim_rule,
        coalesce(kind_day_unsettled.devices, 0) + running.devices as devices
    from running
    left join census.kind_day_unsettled
        on kind_day_unsettled.app_number = $1
        and kind_day_unsettled.day = running.day
        and kind_day_unsettled.surface = running.surface
        and kind_day_unsettled.kind = running.kind
        and kind_day_unsettled.platform = running.platform
        and kind_day_unsettled.os_version = running.os_version
        and kind_day_unsettled.claim_rule = running.claim_rule
    where running.devices <> 0
)
insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    $1,
    day,
    surface,
    kind,
    platform,
    os_version,
    claim_rule,
    devices
from restated
on conflict (app_number, day, surface, kind, platform, os_version, claim_rule) do update set
    devices = excluded.devices
returning kind_day_unsettled.day

-- name: applyUses
-- Takes the net changes of app $1 up to day $2 from the queue and adds them to use_day.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.use_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        use,
        devices,
        events
),
net as (
    select
        day,
        surface,
        kind,
        use,
        sum(devices)::bigint as devices,
        sum(events)::bigint as events
    from taken
    group by
        day,
        surface,
        kind,
        use
)
insert into census.use_day (
    app_number, day, surface, kind, use, devices, events)
select
    $1,
    net.day,
    net.surface,
    net.kind,
    net.use,
    coalesce(use_day.devices, 0) + net.devices,
    coalesce(use_day.events, 0) + net.events
from net
left join census.use_day
    on use_day.app_number = $1
    and use_day.day = net.day
    and use_day.surface = net.surface
    and use_day.kind = net.kind
    and use_day.use = net.use
where net.devices <> 0
    or net.events <> 0
on conflict (app_number, day, surface, kind, use) do update set
    devices = excluded.devices,
    events = excluded.events
returning use_day.day

-- name: applyVersions
-- Makes levels of the net changes of version_day: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
-- Returns the days that changed, one row per cell.
with
-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.version_entry
    where app_number = $1
        and day <= $2
    returning
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible
),
net as (
    select
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        sum(devices_certain)::bigint as devices_certain,
        sum(devices_possible)::bigint as devices_possible,
        sum(widgets_certain)::bigint as widgets_certain,
        sum(widgets_possible)::bigint as widgets_possible
    from taken
    group by
        day,
        surface,
        kind,
        app_version,
        os_version,
        platform
),
touched as (
    select
        surface,
        kind,
        app_version,
        os_version,
        platform,
        min(day) as first_day
    from net
    group by
        surface,
        kind,
        app_version,
        os_version,
        platform
),
running as (
    select
        closed_day.day,
        touched.surface,
        touched.kind,
        touched.app_version,
        touched.os_version,
        touched.platform,
        (sum(net.devices_certain) over so_far)::bigint as devices_certain,
        (sum(net.devices_possible) over so_far)::bigint as devices_possible,
        (sum(net.widgets_certain) over so_far)::bigint as widgets_certain,
        (sum(net.widgets_possible) over so_far)::bigint as widgets_possible
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and net.surface = touched.surface
        and net.kind = touched.kind
        and net.app_version = touched.app_version
        and net.os_version = touched.os_version
        and net.platform = touched.platform
    window so_far as (
        partition by
            touched.surface,
            touched.kind,
            touched.app_version,
            touched.os_version,
            touched.platform
        order by closed_day.day)
),
restated as (
    select
        running.day,
        running.surface,
        running.kind,
        running.app_version,
        running.os_version,
        running.platform,
        coalesce(version_day.devices_certain, 0) + running.devices_certain as devices_certain,
        coalesce(version_day.devices_possible, 0) + running.devices_possible as devices_possible,
        coalesce(version_day.widgets_certain, 0) + running.widgets_certain as widgets_certain,
        coalesce(version_day.widgets_possible, 0) + running.widgets_possible as widgets_possible
    from running
    left join census.version_day
        on version_day.app_number = $1
        and version_day.day = running.day
        and version_day.surface = running.surface
        and version_day.kind = running.kind
        and version_day.app_version = running.app_version
        and version_day.os_version = running.os_version
        and version_day.platform = running.platform
    where running.devices_certain <> 0
        or running.devices_possible <> 0
        or running.widgets_certain <> 0
        or running.widgets_possible <> 0
)
insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    $1,
    day,
    surface,
    kind,
    app_version,
    os_version,
    platform,
    devices_certain,
    devices_possible,
    widgets_certain,
    widgets_possible
from restated
on conflict (app_number, day, surface, kind, app_version, os_version, platform) do update set
    devices_certain = excluded.devices_certain,
    devices_possible = excluded.devices_possible,
    widgets_certain = excluded.widgets_certain,
    widgets_possible = excluded.widgets_possible
returning version_day.day

-- name: clear
-- Empties the ledger of app $1: levels, flows and net changes. What was first known about a closed day stays, and so do
-- reads, which only the log knows.
with
not_closed as (
    delete from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
),
kind_entry_rows as (
    delete from census.kind_entry
    where app_number = $1
),
kind_unsettled_entry_rows as (
    delete from census.kind_unsettled_entry
    where app_number = $1
),
version_entry_rows as (
    delete from census.version_entry
    where app_number = $1
),
install_entry_rows as (
    delete from census.install_entry
    where app_number = $1
),
device_entry_rows as (
    delete from census.device_entry
    where app_number = $1
),
change_entry_rows as (
    delete from census.change_entry
    where app_number = $1
),
move_entry_rows as (
    delete from census.move_entry
    where app_number = $1
),
outcome_entry_rows as (
    delete from census.outcome_entry
    where app_number = $1
),
active_entry_rows as (
    delete from census.active_entry
    where app_number = $1
),
overlap_entry_rows as (
    delete from census.overlap_entry
    where app_number = $1
),
use_entry_rows as (
    delete from census.use_entry
    where app_number = $1
),
cohort_entry_rows as (
    delete from census.cohort_entry
    where app_number = $1
),
kind_day_unsettled_rows as (
    delete from census.kind_day_unsettled
    where app_number = $1
),
version_day_rows as (
    delete from census.version_day
    where app_number = $1
),
install_day_rows as (
    delete from census.install_day
    where app_number = $1
),
device_day_rows as (
    delete from census.device_day
    where app_number = $1
),
change_day_rows as (
    delete from census.change_day
    where app_number = $1
),
move_day_rows as (
    delete from census.move_day
    where app_number = $1
),
outcome_day_rows as (
    delete from census.outcome_day
    where app_number = $1
),
active_day_rows as (
    delete from census.active_day
    where app_number = $1
),
overlap_day_rows as (
    delete from census.overlap_day
    where app_number = $1
),
use_day_rows as (
    delete from census.use_day
    where app_number = $1
),
cohort_day_rows as (
    delete from census.cohort_day
    where app_number = $1
)
update census.kind_day set
    devices_certain = 0,
    devices_possible = 0,
    devices_still_there = 0,
    devices_reported = 0,
    devices_silent = 0,
    widgets_certain = 0,
    widgets_possible = 0,
    widgets_reported = 0,
    widgets_suspect = 0,
    widgets_gone = 0,
    widgets_still_there = 0
where app_number = $1
    and day in (select closed_day.day from census.closed_day where app_number = $1)

-- name: contents
-- The days of app $1 as hashes: one row for each cell of kind_day, and one for each day of each other table.
-- Leaves out what was first known, and reads.
select
    day,
    true as is_kind,
    hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
    hashtextextended(
        row(
            devices_certain, devices_possible, devices_still_there, devices_reported, devices_silent, widgets_certain,
            widgets_possible, widgets_reported, widgets_suspect, widgets_gone, widgets_still_there)::text, 0) as numbers
from census.kind_day
where app_number = $1
    -- Zeros stay where something was first known, and say nothing.
    and (
        devices_certain <> 0
        or devices_possible <> 0
        or devices_still_there <> 0
        or devices_reported <> 0
        or devices_silent <> 0
        or widgets_certain <> 0
        or widgets_possible <> 0
        or widgets_reported <> 0
        or widgets_suspect <> 0
        or widgets_gone <> 0
        or widgets_still_there <> 0
    )
union all
select
    day,
    false,
    1,
    bit_xor(hashtextextended(kind_day_unsettled::text, 0))
from census.kind_day_unsettled
where app_number = $1
group by day
union all
select
    day,
    false,
    2,
    bit_xor(hashtextextended(version_day::text, 0))
from census.version_day
where app_number = $1
group by day
union all
select
    day,
    false,
    3,
    bit_xor(hashtextextended(install_day::text, 0))
from census.install_day
where app_number = $1
group by day
union all
select
    day,
    false,
    4,
    bit_xor(hashtextextended(device_day::text, 0))
from census.device_day
where app_number = $1
group by day
union all
select
    day,
    false,
    5,
    bit_xor(hashtextextended(change_day::text, 0))
from census.change_day
where app_number = $1
group by day
union all
select
    day,
    false,
    6,
    bit_xor(hashtextextended(move_day::text, 0))
from census.move_day
where app_number = $1
group by day
union all
select
    day,
    false,
    7,
    bit_xor(hashtextextended(outcome_day::text, 0))
from census.outcome_day
where app_number = $1
group by day
union all
select
    day,
    false,
    8,
    bit_xor(hashtextextended(active_day::text, 0))
from census.active_day
where app_number = $1
group by day
union all
select
    day,
    false,
    9,
    bit_xor(hashtextextended(overlap_day::text, 0))
from census.overlap_day
where app_number = $1
group by day
union all
select
    day,
    false,
    10,
    bit_xor(hashtextextended(use_day::text, 0))
from census.use_day
where app_number = $1
group by day
union all
select
    day,
    false,
    11,
    bit_xor(hashtextextended(cohort_day::text, 0))
from census.cohort_day
where app_number = $1
group by day

-- name: enterActive
-- Adds net changes of active_day.
copy census.active_entry (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window
) from stdin (format binary)

-- name: enterChanges
-- Adds net changes of change_day.
copy census.change_entry (
    app_number, day, surface, kind, family, cause, widgets_added, widgets_removed
) from stdin (format binary)

-- name: enterCohorts
-- Adds net changes of cohort_day.
copy census.cohort_entry (
    app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible
) from stdin (format binary)

-- name: enterDevices
-- Adds net changes of device_day.
copy census.device_entry (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned
) from stdin (format binary)

-- name: enterInstalls
-- Adds net changes of install_day.
copy census.install_entry (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported
) from stdin (format binary)

-- name: enterKinds
-- Adds net changes of kind_day.
copy census.kind_entry (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there
) from stdin (format binary)

-- name: enterMoves
-- Adds net changes of move_day.
copy census.move_entry (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed
) from stdin (format binary)

-- name: enterOutcomes
-- Adds net changes of outcome_day.
copy census.outcome_entry (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds
) from stdin (format binary)

-- name: enterOverlaps
-- Adds net changes of overlap_day.
copy census.overlap_entry (
    app_number, day, surface, kind, other_kind, devices
) from stdin (format binary)

-- name: enterUnsettled
-- Adds net changes of kind_day_unsettled.
copy census.kind_unsettled_entry (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices
) from stdin (format binary)

-- name: enterUses
-- Adds net changes of use_day.
copy census.use_entry (
    app_number, day, surface, kind, use, devices, events
) from stdin (format binary)

-- name: enterVersions
-- Adds net changes of version_day.
copy census.version_entry (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible
) from stdin (format binary)

-- name: extendActive
-- Begins the new days $3 of app $1 with what active_day held at the end of the day $2 before them.
insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    $1,
    listed.day,
    active_day.scope,
    active_day.surface,
    active_day.kind,
    active_day.family,
    active_day.platform,
    active_day.devices_daily,
    active_day.devices_weekly,
    active_day.devices_in_window
from census.active_day
cross join unnest($3::date[]) as listed (day)
where active_day.app_number = $1
    and active_day.day = $2

-- name: extendDevices
-- Begins the new days $3 of app $1 with what device_day held at the end of the day $2 before them.
insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned)
select
    $1,
    listed.day,
    device_day.app_version,
    device_day.os_version,
    device_day.platform,
    device_day.gallery_policy,
    device_day.devices_active,
    device_day.devices_with_widget,
    device_day.devices_reporting,
    device_day.devices_cloned
from census.device_day
cross join unnest($3::date[]) as listed (day)
where device_day.app_number = $1
    and device_day.day = $2

-- name: extendInstalls
-- Begins the new days $3 of app $1 with what install_day held at the end of the day $2 before them.
insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported)
select
    $1,
    listed.day,
    install_day.surface,
    install_day.kind,
    install_day.family,
    install_day.app_version,
    install_day.os_version,
    install_day.platform,
    install_day.devices_certain,
    install_day.devices_possible,
    install_day.widgets_certain,
    install_day.widgets_possible,
    install_day.widgets_reported
from census.install_day
cross join unnest($3::date[]) as listed (day)
where install_day.app_number = $1
    and install_day.day = $2

-- name: extendKinds
-- Begins the new days $3 of app $1 with what kind_day held at the end of the day $2 before them.
insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there, devices_certain_first_known, devices_possible_first_known)
select
    $1,
    listed.day,
    kind_day.surface,
    kind_day.kind,
    kind_day.devices_certain,
    kind_day.devices_possible,
    kind_day.devices_still_there,
    kind_day.devices_reported,
    kind_day.devices_silent,
    kind_day.widgets_certain,
    kind_day.widgets_possible,
    kind_day.widgets_reported,
    kind_day.widgets_suspect,
    kind_day.widgets_gone,
    kind_day.widgets_still_there,
    kind_day.devices_certain,
    kind_day.devices_possible
from census.kind_day
cross join unnest($3::date[]) as listed (day)
where kind_day.app_number = $1
    and kind_day.day = $2
    -- Rows of zeros stay where something was first known; the days after need none.
    and (
        kind_day.devices_possible <> 0
        or kind_day.devices_silent <> 0
        or kind_day.widgets_reported <> 0
    )

-- name: extendOverlaps
-- Begins the new days $3 of app $1 with what overlap_day held at the end of the day $2 before them.
insert into census.overlap_day (
    app_number, day, surface, kind, other_kind, devices)
select
    $1,
    listed.day,
    overlap_day.surface,
    overlap_day.kind,
    overlap_day.other_kind,
    overlap_day.devices
from census.overlap_day
cross join unnest($3::date[]) as listed (day)
where overlap_day.app_number = $1
    and overlap_day.day = $2

-- name: extendUnsettled
-- Begins the new days $3 of app $1 with what kind_day_unsettled held at the end of the day $2 before them.
insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    $1,
    listed.day,
    kind_day_unsettled.surface,
    kind_day_unsettled.kind,
    kind_day_unsettled.platform,
    kind_day_unsettled.os_version,
    kind_day_unsettled.claim_rule,
    kind_day_unsettled.devices
from census.kind_day_unsettled
cross join unnest($3::date[]) as listed (day)
where kind_day_unsettled.app_number = $1
    and kind_day_unsettled.day = $2

-- name: extendVersions
-- Begins the new days $3 of app $1 with what version_day held at the end of the day $2 before them.
insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    $1,
    listed.day,
    version_day.surface,
    version_day.kind,
    version_day.app_version,
    version_day.os_version,
    version_day.platform,
    version_day.devices_certain,
    version_day.devices_possible,
    version_day.widgets_certain,
    version_day.widgets_possible
from census.version_day
cross join unnest($3::date[]) as listed (day)
where version_day.app_number = $1
    and version_day.day = $2

-- name: missingDays
-- The days of app $1 that a recount has to close.
with
-- The days between the first closed day of app $1 and its last that are not closed.
missing as (
    select day::date as day
    from (
        select generate_series(min(day), max(day), interval '1 day') as day
        from census.closed_day
        where app_number = $1
    ) as spanned
    where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
)
select day
from missing
order by day

-- name: open
-- What is left to count for app $1 through day $2: the closed days so far, and the first day of the net changes that no
-- night has taken; $3 is the app's zone.
select
    min(day) as first_closed_day,
    max(day) as last_closed_day,
    (
        select min(first_day)
        from (
            select (min(quarter_at) at time zone $3)::date as first_day from census.read_entry where app_number = $1
            union all
            select min(day) from census.kind_entry where app_number = $1
            union all
            select min(day) from census.kind_unsettled_entry where app_number = $1
            union all
            select min(day) from census.version_entry where app_number = $1
            union all
            select min(day) from census.install_entry where app_number = $1
            union all
            select min(day) from census.device_entry where app_number = $1
            union all
            select min(day) from census.change_entry where app_number = $1
            union all
            select min(day) from census.move_entry where app_number = $1
            union all
            select min(day) from census.outcome_entry where app_number = $1
            union all
            select min(day) from census.active_entry where app_number = $1
            union all
            select min(day) from census.overlap_entry where app_number = $1
            union all
            select min(day) from census.use_entry where app_number = $1
            union all
            select min(day) from census.cohort_entry where app_number = $1
        ) as entered
        where first_day <= greatest($2::date, (select max(day) from census.closed_day where app_number = $1))
    ) as first_entered_day
from census.closed_day
where app_number = $1

-- name: sweepActive
-- Deletes the rows of active_day of app $1 since day $2 in which nothing is left.
delete from census.active_day
where app_number = $1
    and day >= $2
    and devices_in_window = 0

-- name: sweepChanges
-- Deletes the rows of change_day of app $1 since day $2 in which nothing is left.
delete from census.change_day
where app_number = $1
    and day >= $2
    and widgets_added = 0
    and widgets_removed = 0

-- name: sweepCohorts
-- Deletes the rows of cohort_day of app $1 since day $2 in which nothing is left.
delete from census.cohort_day
where app_number = $1
    and day >= $2
    and devices_placed = 0
    and devices_certain = 0
    and devices_possible = 0

-- name: sweepDevices
-- Deletes the rows of device_day of app $1 since day $2 in which nothing is left.
delete from census.device_day
where app_number = $1
    and day >= $2
    and devices_active = 0

-- name: sweepInstalls
-- Deletes the rows of install_day of app $1 since day $2 in which nothing is left.
delete from census.install_day
where app_number = $1
    and day >= $2
    and devices_possible = 0
    and widgets_reported = 0

-- name: sweepKinds
-- Deletes the rows of kind_day of app $1 since day $2 in which nothing is left.
-- Zeros stay where something was first known.
delete from census.kind_day
where app_number = $1
    and day >= $2
    and devices_possible = 0
    and devices_silent = 0
    and widgets_reported = 0
    and devices_certain_first_known = 0
    and devices_possible_first_known = 0

-- name: sweepMoves
-- Deletes the rows of move_day of app $1 since day $2 in which nothing is left.
delete from census.move_day
where app_number = $1
    and day >= $2
    and widgets_added = 0
    and widgets_removed = 0
    and devices_added = 0
    and devices_removed = 0

-- name: sweepOutcomes
-- Deletes the rows of outcome_day of app $1 since day $2 in which nothing is left.
delete from census.outcome_day
where app_number = $1
    and day >= $2
    and suspects_settled = 0

-- name: sweepOverlaps
-- Deletes the rows of overlap_day of app $1 since day $2 in which nothing is left.
delete from census.overlap_day
where app_number = $1
    and day >= $2
    and devices = 0

-- name: sweepUnsettled
-- Deletes the rows of kind_day_unsettled of app $1 since day $2 in which nothing is left.
delete from census.kind_day_unsettled
where app_number = $1
    and day >= $2
    and devices = 0

-- name: sweepUses
-- Deletes the rows of use_day of app $1 since day $2 in which nothing is left.
delete from census.use_day
where app_number = $1
    and day >= $2
    and events = 0

-- name: sweepVersions
-- Deletes the rows of version_day of app $1 since day $2 in which nothing is left.
delete from census.version_day
where app_number = $1
    and day >= $2
    and devices_possible = 0

-- name: verifyActive
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- active_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
),
-- What each device is, whatever it runs.
platform as (
    select
        device_id,
        platform,
        lower(days) as first,
        upper(days) - 1 as last
    from (
        select
            device_id,
            platform,
            unnest(range_agg(int4range(first, last + 1))) as days
        from live_phase
        group by
            device_id,
            platform
    ) as ran
),
scoped as (
    select
        device_id,
        first,
        last,
        case when grouping(kind) = 0 and grouping(family) = 0 then 'kind_family'
            when grouping(kind) = 0 then 'kind'
            when grouping(family) = 0 then 'family'
            else 'surface' end as scope,
        surface,
        coalesce(kind, '') as kind,
        coalesce(family, '') as family
    from live_span
    where certain > 0
    group by grouping sets (
        (device_id, first, last, surface, kind, family),
        (device_id, first, last, surface, kind),
        (device_id, first, last, surface, family),
        (device_id, first, last, surface)
    )
    -- A family that is not sent is counted with any.
    having grouping(family) = 1
        or family <> ''
),
-- All that a device is counted for: devices differ less in it than they are many.
profile as (
    select
        device_id,
        first,
        last,
        array_agg(array[scope, surface, kind, family] order by scope, surface, kind, family) as cells
    from scoped
    group by
        device_id,
        first,
        last
    union all
    select
        device_id,
        1,
        cardinality($2::date[]),
        array[array['all', '', '', '']]
    from census.counted_device
    where app_number = $1
),
-- When each device is counted, and as what: daily on the days on which it was heard from, weekly on those and six more.
heard as (
    select
        device_use.device_id,
        range_agg(daterange(its.day, its.day + 1)) as daily,
        range_agg(daterange(its.day, its.day + 7)) as weekly
    from census.device_use
    cross join lateral unnest(device_use.days) as done (day_of_month)
    cross join lateral (
        select device_use.month + done.day_of_month - 1 as day
    ) as its
    where device_use.app_number = $1
        and device_use.use = 'heard'
    group by device_use.device_id
),
seen as (
    select
        device_id,
        1 as first,
        cardinality($2::date[]) as last,
        0 as daily,
        0 as weekly,
        1 as in_window
    from census.counted_device
    where app_number = $1
    union all
    select
        heard.device_id,
        width_bucket(lower(its.days) - 1, $2::date[]) + 1,
        width_bucket(upper(its.days) - 1, $2::date[]),
        its.daily,
        its.weekly,
        0
    from heard
    cross join lateral (
        select
            unnest(heard.daily) as days,
            1 as daily,
            0 as weekly
        union all
        select
            unnest(heard.weekly),
            0,
            1
    ) as its
),
counted_profile as (
    select
        its_days.first,
        its_days.last,
        profile.cells,
        platform.platform,
        sum(seen.daily) as daily,
        sum(seen.weekly) as weekly,
        sum(seen.in_window) as in_window
    from profile
    join platform
        on platform.device_id = profile.device_id
        and platform.first <= profile.last
        and platform.last >= profile.first
    join seen
        on seen.device_id = profile.device_id
        and seen.first <= profile.last
        and seen.last >= profile.first
        and seen.first <= platform.last
        and seen.last >= platform.first
    cross join lateral (
        select
            greatest(profile.first, platform.first, seen.first) as first,
            least(profile.last, platform.last, seen.last) as last
    ) as its_days
    group by
        its_days.first,
        its_days.last,
        profile.cells,
        platform.platform
),
counted as (
    select
        first,
        last,
        cells[number][1] as scope,
        cells[number][2] as surface,
        cells[number][3] as kind,
        cells[number][4] as family,
        platform,
        sum(daily) as devices_daily,
        sum(weekly) as devices_weekly,
        sum(in_window) as devices_in_window
    from counted_profile
    cross join lateral generate_subscripts(cells, 1) as number
    group by
        first,
        last,
        scope,
        surface,
        kind,
        family,
        platform
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        scope,
        surface,
        kind,
        family,
        platform,
        change.sign * devices_daily as counted_devices_daily,
        change.sign * devices_weekly as counted_devices_weekly,
        change.sign * devices_in_window as counted_devices_in_window,
        0 as ledger_devices_daily,
        0 as ledger_devices_weekly,
        0 as ledger_devices_in_window
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        scope,
        surface,
        kind,
        family,
        platform,
        0,
        0,
        0,
        change.sign * devices_daily,
        change.sign * devices_weekly,
        change.sign * devices_in_window
    from census.active_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        scope,
        surface,
        kind,
        family,
        platform,
        0,
        0,
        0,
        devices_daily,
        devices_weekly,
        devices_in_window
    from census.active_entry
    where app_number = $1
),
level as (
    select
        position,
        scope,
        surface,
        kind,
        family,
        platform,
        sum(sum(counted_devices_daily)) over so_far as counted_devices_daily,
        sum(sum(counted_devices_weekly)) over so_far as counted_devices_weekly,
        sum(sum(counted_devices_in_window)) over so_far as counted_devices_in_window,
        sum(sum(ledger_devices_daily)) over so_far as ledger_devices_daily,
        sum(sum(ledger_devices_weekly)) over so_far as ledger_devices_weekly,
        sum(sum(ledger_devices_in_window)) over so_far as ledger_devices_in_window
    from changed
    group by
        position,
        scope,
        surface,
        kind,
        family,
        platform
    window so_far as (
        partition by
            scope,
            surface,
            kind,
            family,
            platform
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', scope, surface, kind, family, platform) as cell,
        concat_ws(
            ' ',
            ledger_devices_daily,
            ledger_devices_weekly,
            ledger_devices_in_window
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_daily,
            counted_devices_weekly,
            counted_devices_in_window
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyChanges
-- Counts all closed days of app $1 straight from the spans, and compares change_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- Which certain placements of app $1 were added and removed, when and why.
beside as (
    -- Every span with those of its placement before and after it.
    select
        device_id,
        zone,
        surface,
        kind,
        coalesce(family, '') as family,
        from_at,
        to_at,
        certain,
        returned,
        began_cause,
        ended_cause,
        lag(to_at) over in_order as to_at_before,
        lag(certain) over in_order as certain_before,
        lag(ended_cause) over in_order as ended_cause_before,
        lead(from_at) over in_order as from_at_after
    from census.counted_span
    where app_number = $1
    window in_order as (
        partition by
            device_id,
            concat_ws(
                chr(31), surface, kind, coalesce(family, chr(30)), coalesce(intent, chr(30)),
                coalesce(configuration, chr(30)), coalesce(instance, chr(30)))
        order by from_at)
),
moved as (
    select
        device_id,
        from_at as at,
        (from_at at time zone zone)::date as day,
        surface,
        kind,
        family,
        certain - case when to_at_before = from_at then certain_before else 0 end as more,
        case when to_at_before = from_at and certain < certain_before then ended_cause_before else began_cause end
            as cause,
        returned
    from beside
    union all
    select
        device_id,
        to_at,
        (to_at at time zone zone)::date,
        surface,
        kind,
        family,
        -certain,
        ended_cause,
        0
    from beside
    where to_at is not null
        and from_at_after is distinct from to_at
),
told_apart as (
    -- Some of what was added may have come back from silence.
    select
        moved.device_id,
        moved.at,
        moved.day,
        moved.surface,
        moved.kind,
        moved.family,
        parts.cause,
        parts.more
    from moved
    cross join lateral (
        select greatest(0, least(moved.more, moved.returned)) as returned
    ) as back
    cross join lateral (
        values
            ('returned', back.returned),
            (moved.cause, moved.more - back.returned)
    ) as parts (cause, more)
),
counted as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        coalesce(sum(more) filter (where more > 0), 0) as widgets_added,
        coalesce(-sum(more) filter (where more < 0), 0) as widgets_removed
    from told_apart
    where more <> 0
        and day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        family,
        cause
),
ledger as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed
    from (
        select
            day,
            surface,
            kind,
            family,
            cause,
            widgets_added,
            widgets_removed
        from census.change_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            family,
            cause,
            widgets_added,
            widgets_removed
        from census.change_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        family,
        cause
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, family, cause) as cell,
        concat_ws(
            ' ',
            ledger.widgets_added,
            ledger.widgets_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted.widgets_added,
            counted.widgets_removed
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, family, cause)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5

-- name: verifyCohorts
-- Counts all closed days of app $1 straight from the spans, and compares cohort_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
week_end as (
    select day
    from census.closed_day
    where app_number = $1
        and extract(isodow from day) = 7
),
-- What each device of a cohort holds when each week ends.
held as (
    select
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day,
        coalesce(bool_or(span.certain > 0), false)::integer as certain,
        coalesce(bool_or(span.certain + span.presumed + span.suspect > 0), false)::integer as possible
    from census.device_cohort as cohort
    join week_end
        on week_end.day >= cohort.week + 6
    left join census.counted_span as span
        on span.device_id = cohort.device_id
        and span.surface = cohort.surface
        and span.kind = cohort.kind
        and span.from_at < (week_end.day + 1)::timestamp at time zone span.zone
        and coalesce(span.to_at, 'infinity') >= (week_end.day + 1)::timestamp at time zone span.zone
    where cohort.app_number = $1
    group by
        cohort.device_id,
        cohort.surface,
        cohort.kind,
        cohort.week,
        week_end.day
),
changed as (
    select
        surface,
        kind,
        week,
        day,
        case when day = week + 6 then 1 else 0 end as placed,
        certain - coalesce(lag(certain) over in_order, 0) as certain,
        possible - coalesce(lag(possible) over in_order, 0) as possible
    from held
    window in_order as (
        partition by
            device_id,
            surface,
            kind
        order by day)
),
counted as (
    select
        day,
        surface,
        kind,
        week,
        sum(placed) as devices_placed,
        sum(certain) as devices_certain,
        sum(possible) as devices_possible
    from changed
    group by
        day,
        surface,
        kind,
        week
),
ledger as (
    select
        day,
        surface,
        kind,
        week,
        sum(devices_placed) as devices_placed,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible
    from (
        select
            day,
            surface,
            kind,
            week,
            devices_placed,
            devices_certain,
            devices_possible
        from census.cohort_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            week,
            devices_placed,
            devices_certain,
            devices_possible
        from census.cohort_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        week
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, week) as cell,
        concat_ws(
            ' ',
            ledger.devices_placed,
            ledger.devices_certain,
            ledger.devices_possible
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_placed,
            counted.devices_certain,
            counted.devices_possible
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, week)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5

-- name: verifyDays
-- The days of app $1 that are neither closed nor open: a day between closed ones must be closed, and only closed days
-- have numbers.
-- Returns at most five days of each table, with how many rows it has, and how many it should have.
with
-- The days between the first closed day of app $1 and its last that are not closed.
missing as (
    select day::date as day
    from (
        select generate_series(min(day), max(day), interval '1 day') as day
        from census.closed_day
        where app_number = $1
    ) as spanned
    where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
)
(
    select
        'closed_day' as table_name,
        day,
        'a day between closed ones' as cell,
        '0' as ledger,
        '1' as counted
    from missing
    order by day
    limit 5
)
union all
(
    select
        'kind_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'kind_day_unsettled',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.kind_day_unsettled
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'version_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.version_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'install_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.install_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'device_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.device_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'change_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.change_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'move_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.move_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'outcome_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.outcome_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'active_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.active_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'overlap_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.overlap_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'use_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.use_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'cohort_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.cohort_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)

-- name: verifyDevices
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- device_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
),
-- What each device is counted as, and on which days while its phases last.
counted_as as (
    select distinct
        device_id,
        'with_widget' as what,
        first,
        last
    from live_span
    where certain > 0
        and surface in ('widget', 'today')
    union all
    select
        counted_device.device_id,
        always.what,
        1,
        cardinality($2::date[])
    from census.counted_device
    cross join (values ('active'), ('reporting')) as always (what)
    where counted_device.app_number = $1
),
counted as (
    select
        its_days.first,
        its_days.last,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy,
        count(*) filter (where counted_as.what = 'active') as devices_active,
        count(*) filter (where counted_as.what = 'with_widget') as devices_with_widget,
        count(*) filter (where counted_as.what = 'reporting') as devices_reporting,
        count(*) filter (where counted_as.what = 'active' and live_phase.is_cloned) as devices_cloned
    from live_phase
    join counted_as
        on counted_as.device_id = live_phase.device_id
        and counted_as.first <= live_phase.last
        and counted_as.last >= live_phase.first
    cross join lateral (
        select
            greatest(counted_as.first, live_phase.first) as first,
            least(
                counted_as.last, live_phase.last,
                case when counted_as.what = 'reporting' then live_phase.last_reporting end
            ) as last
    ) as its_days
    where its_days.first <= its_days.last
    group by
        its_days.first,
        its_days.last,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        app_version,
        os_version,
        platform,
        gallery_policy,
        change.sign * devices_active as counted_devices_active,
        change.sign * devices_with_widget as counted_devices_with_widget,
        change.sign * devices_reporting as counted_devices_reporting,
        change.sign * devices_cloned as counted_devices_cloned,
        0 as ledger_devices_active,
        0 as ledger_devices_with_widget,
        0 as ledger_devices_reporting,
        0 as ledger_devices_cloned
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        app_version,
        os_version,
        platform,
        gallery_policy,
        0,
        0,
        0,
        0,
        change.sign * devices_active,
        change.sign * devices_with_widget,
        change.sign * devices_reporting,
        change.sign * devices_cloned
    from census.device_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        app_version,
        os_version,
        platform,
        gallery_policy,
        0,
        0,
        0,
        0,
        devices_active,
        devices_with_widget,
        devices_reporting,
        devices_cloned
    from census.device_entry
    where app_number = $1
),
level as (
    select
        position,
        app_version,
        os_version,
        platform,
        gallery_policy,
        sum(sum(counted_devices_active)) over so_far as counted_devices_active,
        sum(sum(counted_devices_with_widget)) over so_far as counted_devices_with_widget,
        sum(sum(counted_devices_reporting)) over so_far as counted_devices_reporting,
        sum(sum(counted_devices_cloned)) over so_far as counted_devices_cloned,
        sum(sum(ledger_devices_active)) over so_far as ledger_devices_active,
        sum(sum(ledger_devices_with_widget)) over so_far as ledger_devices_with_widget,
        sum(sum(ledger_devices_reporting)) over so_far as ledger_devices_reporting,
        sum(sum(ledger_devices_cloned)) over so_far as ledger_devices_cloned
    from changed
    group by
        position,
        app_version,
        os_version,
        platform,
        gallery_policy
    window so_far as (
        partition by
            app_version,
            os_version,
            platform,
            gallery_policy
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', app_version, os_version, platform, gallery_policy) as cell,
        concat_ws(
            ' ',
            ledger_devices_active,
            ledger_devices_with_widget,
            ledger_devices_reporting,
            ledger_devices_cloned
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_active,
            counted_devices_with_widget,
            counted_devices_reporting,
            counted_devices_cloned
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyInstalls
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- install_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
),
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        family,
        sum(certain) as certain,
        sum(certain + presumed + suspect + either) as possible,
        sum(reported) as reported
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind,
        family
),
counted as (
    select
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        held.family,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible,
        sum(held.reported) as widgets_reported
    from held
    join live_phase
        on live_phase.device_id = held.device_id
        and live_phase.first <= held.last
        and live_phase.last >= held.first
    cross join lateral (
        select
            greatest(live_phase.first, held.first) as first,
            least(live_phase.last, held.last) as last
    ) as its_days
    group by
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        held.family,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        change.sign * devices_certain as counted_devices_certain,
        change.sign * devices_possible as counted_devices_possible,
        change.sign * widgets_certain as counted_widgets_certain,
        change.sign * widgets_possible as counted_widgets_possible,
        change.sign * widgets_reported as counted_widgets_reported,
        0 as ledger_devices_certain,
        0 as ledger_devices_possible,
        0 as ledger_widgets_certain,
        0 as ledger_widgets_possible,
        0 as ledger_widgets_reported
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        0,
        change.sign * devices_certain,
        change.sign * devices_possible,
        change.sign * widgets_certain,
        change.sign * widgets_possible,
        change.sign * widgets_reported
    from census.install_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        0,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible,
        widgets_reported
    from census.install_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
        sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
        sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
        sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
        sum(sum(counted_widgets_reported)) over so_far as counted_widgets_reported,
        sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
        sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
        sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
        sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible,
        sum(sum(ledger_widgets_reported)) over so_far as ledger_widgets_reported
    from changed
    group by
        position,
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform
    window so_far as (
        partition by
            surface,
            kind,
            family,
            app_version,
            os_version,
            platform
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, family, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger_devices_certain,
            ledger_devices_possible,
            ledger_widgets_certain,
            ledger_widgets_possible,
            ledger_widgets_reported
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_certain,
            counted_devices_possible,
            counted_widgets_certain,
            counted_widgets_possible,
            counted_widgets_reported
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyKinds
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- kind_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- What each device of app $1 may still hold of each kind although it is silent: what it fell silent with, for a year.
-- From the first to the last of the asked days on which it does.
silence as (
    select
        device_id,
        zone,
        due_at,
        to_at as from_at,
        lead(from_at) over (partition by device_id order by from_at) as next_at
    from census.counted_phase
    where app_number = $1
),
silent as (
    select distinct
        silence.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind
    from silence
    cross join lateral (
        select (silence.from_at at time zone silence.zone)::date + 365 as expires_on
    ) as its_end
    cross join lateral (
        select
            width_bucket(its_end.expires_on - 366, $2::date[]) + 1 as first,
            least(
                width_bucket((silence.next_at at time zone silence.zone)::date - 1, $2::date[]),
                -- It is not due yet, as far as the ledger was told.
                case when silence.next_at is null
                        and silence.due_at <= its_end.expires_on::timestamp at time zone silence.zone
                    then cardinality($2::date[])
                    else width_bucket(its_end.expires_on - 1, $2::date[]) end
            ) as last
    ) as its_days
    join census.counted_span as span
        on span.device_id = silence.device_id
        and span.to_at = silence.from_at
        and span.ended_cause = 'silent'
        and span.certain + span.presumed + span.suspect > 0
    where its_days.first <= its_days.last
        and case when silence.next_at is null then true else silence.next_at > silence.from_at end
),
-- What each device holds of each kind in each stretch.
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        sum(certain) as certain,
        sum(certain + presumed + suspect) as possible,
        sum(reported) as reported,
        sum(suspect) as suspect,
        sum(suspect - still_there) as gone,
        sum(still_there) as still_there,
        bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[claim_platform, claim_os_version, claim_rule]
            order by
                claim_platform collate "C" desc,
                claim_os_version collate "C" desc,
                claim_rule collate "C" desc
        ) filter (where suspect > 0 and still_there is null))[1:1] as claim
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind
),
counted as (
    select
        first,
        last,
        surface,
        kind,
        count(*) filter (where certain > 0) as devices_certain,
        count(*) filter (where possible > 0) as devices_possible,
        count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
        count(*) filter (where reported > 0) as devices_reported,
        coalesce(sum(silent), 0) as devices_silent,
        sum(certain) as widgets_certain,
        sum(possible) as widgets_possible,
        sum(reported) as widgets_reported,
        sum(suspect) as widgets_suspect,
        coalesce(sum(gone), 0) as widgets_gone,
        coalesce(sum(still_there), 0) as widgets_still_there
    from (
        select
            first,
            last,
            surface,
            kind,
            certain,
            possible,
            is_still_there,
            reported,
            suspect,
            gone,
            still_there,
            0 as silent
        from held
        union all
        select
            first,
            last,
            surface,
            kind,
            0,
            0,
            false,
            0,
            0,
            0,
            0,
            1
        from silent
    ) as counted_once
    group by
        first,
        last,
        surface,
        kind
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        change.sign * devices_certain as counted_devices_certain,
        change.sign * devices_possible as counted_devices_possible,
        change.sign * devices_still_there as counted_devices_still_there,
        change.sign * devices_reported as counted_devices_reported,
        change.sign * devices_silent as counted_devices_silent,
        change.sign * widgets_certain as counted_widgets_certain,
        change.sign * widgets_possible as counted_widgets_possible,
        change.sign * widgets_reported as counted_widgets_reported,
        change.sign * widgets_suspect as counted_widgets_suspect,
        change.sign * widgets_gone as counted_widgets_gone,
        change.sign * widgets_still_there as counted_widgets_still_there,
        0 as ledger_devices_certain,
        0 as ledger_devices_possible,
        0 as ledger_devices_still_there,
        0 as ledger_devices_reported,
        0 as ledger_devices_silent,
        0 as ledger_widgets_certain,
        0 as ledger_widgets_possible,
        0 as ledger_widgets_reported,
        0 as ledger_widgets_suspect,
        0 as ledger_widgets_gone,
        0 as ledger_widgets_still_there
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        change.sign * devices_certain,
        change.sign * devices_possible,
        change.sign * devices_still_there,
        change.sign * devices_reported,
        change.sign * devices_silent,
        change.sign * widgets_certain,
        change.sign * widgets_possible,
        change.sign * widgets_reported,
        change.sign * widgets_suspect,
        change.sign * widgets_gone,
        change.sign * widgets_still_there
    from census.kind_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        devices_certain,
        devices_possible,
        devices_still_there,
        devices_reported,
        devices_silent,
        widgets_certain,
        widgets_possible,
        widgets_reported,
        widgets_suspect,
        widgets_gone,
        widgets_still_there
    from census.kind_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
        sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
        sum(sum(counted_devices_still_there)) over so_far as counted_devices_still_there,
        sum(sum(counted_devices_reported)) over so_far as counted_devices_reported,
        sum(sum(counted_devices_silent)) over so_far as counted_devices_silent,
        sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
        sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
        sum(sum(counted_widgets_reported)) over so_far as counted_widgets_reported,
        sum(sum(counted_widgets_suspect)) over so_far as counted_widgets_suspect,
        sum(sum(counted_widgets_gone)) over so_far as counted_widgets_gone,
        sum(sum(counted_widgets_still_there)) over so_far as counted_widgets_still_there,
        sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
        sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
        sum(sum(ledger_devices_still_there)) over so_far as ledger_devices_still_there,
        sum(sum(ledger_devices_reported)) over so_far as ledger_devices_reported,
        sum(sum(ledger_devices_silent)) over so_far as ledger_devices_silent,
        sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
        sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible,
        sum(sum(ledger_widgets_reported)) over so_far as ledger_widgets_reported,
        sum(sum(ledger_widgets_suspect)) over so_far as ledger_widgets_suspect,
        sum(sum(ledger_widgets_gone)) over so_far as ledger_widgets_gone,
        sum(sum(ledger_widgets_still_there)) over so_far as ledger_widgets_still_there
    from changed
    group by
        position,
        surface,
        kind
    window so_far as (
        partition by
            surface,
            kind
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind) as cell,
        concat_ws(
            ' ',
            ledger_devices_certain,
            ledger_devices_possible,
            ledger_devices_still_there,
            ledger_devices_reported,
            ledger_devices_silent,
            ledger_widgets_certain,
            ledger_widgets_possible,
            ledger_widgets_reported,
            ledger_widgets_suspect,
            ledger_widgets_gone,
            ledger_widgets_still_there
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_certain,
            counted_devices_possible,
            counted_devices_still_there,
            counted_devices_reported,
            counted_devices_silent,
            counted_widgets_certain,
            counted_widgets_possible,
            counted_widgets_reported,
            counted_widgets_suspect,
            counted_widgets_gone,
            counted_widgets_still_there
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyMoves
-- Counts all closed days of app $1 straight from the spans, and compares move_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- Which certain placements of app $1 were added and removed, when and why.
beside as (
    -- Every span with those of its placement before and after it.
    select
        device_id,
        zone,
        surface,
        kind,
        coalesce(family, '') as family,
        from_at,
        to_at,
        certain,
        returned,
        began_cause,
        ended_cause,
        lag(to_at) over in_order as to_at_before,
        lag(certain) over in_order as certain_before,
        lag(ended_cause) over in_order as ended_cause_before,
        lead(from_at) over in_order as from_at_after
    from census.counted_span
    where app_number = $1
    window in_order as (
        partition by
            device_id,
            concat_ws(
                chr(31), surface, kind, coalesce(family, chr(30)), coalesce(intent, chr(30)),
                coalesce(configuration, chr(30)), coalesce(instance, chr(30)))
        order by from_at)
),
moved as (
    select
        device_id,
        from_at as at,
        (from_at at time zone zone)::date as day,
        surface,
        kind,
        family,
        certain - case when to_at_before = from_at then certain_before else 0 end as more,
        case when to_at_before = from_at and certain < certain_before then ended_cause_before else began_cause end
            as cause,
        returned
    from beside
    union all
    select
        device_id,
        to_at,
        (to_at at time zone zone)::date,
        surface,
        kind,
        family,
        -certain,
        ended_cause,
        0
    from beside
    where to_at is not null
        and from_at_after is distinct from to_at
),
told_apart as (
    -- Some of what was added may have come back from silence.
    select
        moved.device_id,
        moved.at,
        moved.day,
        moved.surface,
        moved.kind,
        moved.family,
        parts.cause,
        parts.more
    from moved
    cross join lateral (
        select greatest(0, least(moved.more, moved.returned)) as returned
    ) as back
    cross join lateral (
        values
            ('returned', back.returned),
            (moved.cause, moved.more - back.returned)
    ) as parts (cause, more)
),
-- When a device of app $1 began to hold a kind for certain, or stopped.
edge as (
    -- When certain placements of a kind begin and end on a device, and why.
    select
        device_id,
        zone,
        surface,
        kind,
        from_at as at,
        certain as more,
        case when returned > 0 then 'returned' else began_cause end as began_cause,
        null as ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
    union all
    select
        device_id,
        zone,
        surface,
        kind,
        to_at,
        -certain,
        null,
        ended_cause
    from census.counted_span
    where app_number = $1
        and certain > 0
        and to_at is not null
),
moment as (
    select
        device_id,
        zone,
        surface,
        kind,
        at,
        sum(more) as more,
        min(began_cause collate "C") as began_cause,
        min(ended_cause collate "C") as ended_cause
    from edge
    group by
        device_id,
        zone,
        surface,
        kind,
        at
),
held as (
    select
        *,
        sum(more) over (partition by device_id, surface, kind order by at) as certain
    from moment
),
happened as (
    select
        device_id,
        at,
        day,
        surface,
        kind,
        cause,
        greatest(more, 0) as widgets_added,
        greatest(-more, 0) as widgets_removed,
        0 as devices_added,
        0 as devices_removed
    from told_apart
    where more <> 0
    union all
    select
        device_id,
        at,
        (at at time zone zone)::date,
        surface,
        kind,
        case when certain > 0 then began_cause else ended_cause end,
        0,
        0,
        case when certain > 0 then 1 else 0 end,
        case when certain > 0 then 0 else 1 end
    from held
    where more <> 0
        and (certain = 0) <> (certain - more = 0)
),
ran as (
    -- The phase that had begun last at each moment, else the first one.
    select distinct on (moment.device_id, moment.at)
        moment.device_id,
        moment.at,
        phase.app_version,
        phase.os_version,
        phase.platform
    from (
        select distinct
            device_id,
            at
        from happened
    ) as moment
    join census.phase
        on phase.device_id = moment.device_id
    order by
        moment.device_id,
        moment.at,
        phase.from_at <= moment.at desc,
        abs(extract(epoch from phase.from_at - moment.at))
),
counted as (
    select
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, '') as app_version,
        coalesce(ran.os_version, '') as os_version,
        coalesce(ran.platform, '') as platform,
        sum(happened.widgets_added) as widgets_added,
        sum(happened.widgets_removed) as widgets_removed,
        sum(happened.devices_added) as devices_added,
        sum(happened.devices_removed) as devices_removed
    from happened
    left join ran
        on ran.device_id = happened.device_id
        and ran.at = happened.at
    where happened.day in (select day from census.closed_day where app_number = $1)
    group by
        happened.day,
        happened.surface,
        happened.kind,
        happened.cause,
        coalesce(ran.app_version, ''),
        coalesce(ran.os_version, ''),
        coalesce(ran.platform, '')
),
ledger as (
    select
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform,
        sum(widgets_added) as widgets_added,
        sum(widgets_removed) as widgets_removed,
        sum(devices_added) as devices_added,
        sum(devices_removed) as devices_removed
    from (
        select
            day,
            surface,
            kind,
            cause,
            app_version,
            os_version,
            platform,
            widgets_added,
            widgets_removed,
            devices_added,
            devices_removed
        from census.move_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            cause,
            app_version,
            os_version,
            platform,
            widgets_added,
            widgets_removed,
            devices_added,
            devices_removed
        from census.move_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        cause,
        app_version,
        os_version,
        platform
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, cause, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger.widgets_added,
            ledger.widgets_removed,
            ledger.devices_added,
            ledger.devices_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted.widgets_added,
            counted.widgets_removed,
            counted.devices_added,
            counted.devices_removed
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, cause, app_version, os_version, platform)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5

-- name: verifyOutcomes
-- Counts all closed days of app $1 straight from the spans, and compares outcome_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
settled as (
    -- The last span of each suspicion: a boot ended it (R6), or the use of one of its suspects did (R7), or it says so
    -- itself.
    select
        -- A device that waits to be counted again has no zone of its own.
        (span.to_at at time zone coalesce(device.zone, app.zone))::date as day,
        claim_platform as platform,
        coalesce(claim_os_version, '') as os_version,
        claim_rule,
        case when ended_rule = 'reboot' then suspect
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else settled end as settled,
        case when ended_rule = 'reboot' then still_there
            when ended_rule = 'sign_of_life' and certain > 0 then 1
            else greatest(0, still_there - (suspect - settled)) end as still_there,
        floor(extract(epoch from to_at - from_at)) as seconds
    from census.span
    join census.app
        on app.app_number = span.app_number
    left join census.device
        on device.device_id = span.device_id
    where span.app_number = $1
        and still_there is not null
        and to_at is not null
        and (ended_rule = 'reboot' or settled > 0 or (ended_rule = 'sign_of_life' and certain > 0))
),
counted as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(settled) as suspects_settled,
        sum(still_there) as suspects_still_there,
        sum(settled * seconds) as suspect_seconds
    from settled
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        platform,
        os_version,
        claim_rule
),
ledger as (
    select
        day,
        platform,
        os_version,
        claim_rule,
        sum(suspects_settled) as suspects_settled,
        sum(suspects_still_there) as suspects_still_there,
        sum(suspect_seconds) as suspect_seconds
    from (
        select
            day,
            platform,
            os_version,
            claim_rule,
            suspects_settled,
            suspects_still_there,
            suspect_seconds
        from census.outcome_day
        where app_number = $1
        union all
        select
            day,
            platform,
            os_version,
            claim_rule,
            suspects_settled,
            suspects_still_there,
            suspect_seconds
        from census.outcome_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        platform,
        os_version,
        claim_rule
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, platform, os_version, claim_rule) as cell,
        concat_ws(
            ' ',
            ledger.suspects_settled,
            ledger.suspects_still_there,
            ledger.suspect_seconds
        ) as ledger,
        concat_ws(
            ' ',
            counted.suspects_settled,
            counted.suspects_still_there,
            counted.suspect_seconds
        ) as counted
    from ledger
    full join counted
        using (day, platform, os_version, claim_rule)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5

-- name: verifyOverlaps
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- overlap_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
held as (
    select distinct
        device_id,
        first,
        last,
        surface,
        kind
    from live_span
    where certain > 0
),
-- In the order in which they were marked; a device is counted for the first of them.
legacy as (
    select
        surface,
        kind,
        row_number() over (order by min(act_number)) as position
    from census.kind_act
    where app_number = $1
        and lifecycle <> 'active'
    group by
        surface,
        kind
),
counted as (
    select
        held.first,
        held.last,
        held.surface,
        held.kind,
        other.kind as other_kind,
        count(*) as devices
    from held
    join held as other
        on other.device_id = held.device_id
        and other.first = held.first
        and other.surface = held.surface
        and other.kind collate "C" > held.kind collate "C"
    join census.device
        on device.device_id = held.device_id
    where exists (
        select 1
        from legacy
        where legacy.surface = held.surface
            and legacy.kind in (held.kind, other.kind)
            and legacy.position <= device.legacy_kinds)
    group by
        held.first,
        held.last,
        held.surface,
        held.kind,
        other.kind
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        other_kind,
        change.sign * devices as counted_devices,
        0 as ledger_devices
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        other_kind,
        0,
        change.sign * devices
    from census.overlap_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        other_kind,
        0,
        devices
    from census.overlap_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        other_kind,
        sum(sum(counted_devices)) over so_far as counted_devices,
        sum(sum(ledger_devices)) over so_far as ledger_devices
    from changed
    group by
        position,
        surface,
        kind,
        other_kind
    window so_far as (
        partition by
            surface,
            kind,
            other_kind
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, other_kind) as cell,
        concat_ws(
            ' ',
            ledger_devices
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyReads
-- Compares the reads of app $1 with the log.
-- Returns at most five quarters of an hour in which the two differ, with the numbers of both in the order of the
-- columns.
with
-- The reads of app $1 by quarters of an hour where the ledger has others than the log, as far back as all of it is kept
-- and reads were counted by quarters.
whole as (
    select
        coalesce(
            greatest(
                (select kept_from::timestamp at time zone 'UTC' from census.retention),
                (
                    select max(quarter_at) + interval '1 day'
                    from census.read_quarter
                    where app_number = $1
                        and is_of_day
                )),
            '-infinity') as since
),
counted as (
    select
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
        count(*) as reads,
        count(*) filter (where content::text like '{"error"%') as reads_failed
    from census.observation
    where app_number = $1
        and type = 'widgets_reported'
        and channel = 'production'
        and corrected_at >= (select since from whole)
    group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
),
ledger as (
    select
        quarter_at,
        sum(reads)::bigint as reads,
        sum(reads_failed)::bigint as reads_failed
    from (
        -- The log no longer has the reads of forgotten devices.
        select
            quarter_at,
            reads - reads_erased as reads,
            reads_failed - reads_failed_erased as reads_failed
        from census.read_quarter
        where app_number = $1
            and not is_of_day
        union all
        select
            quarter_at,
            reads - reads_erased,
            reads_failed - reads_failed_erased
        from census.read_entry
        where app_number = $1
    ) as entered
    where quarter_at >= (select since from whole)
    group by quarter_at
),
wrong as (
    select
        quarter_at,
        ledger.reads as ledger_reads,
        ledger.reads_failed as ledger_reads_failed,
        counted.reads as counted_reads,
        counted.reads_failed as counted_reads_failed
    from ledger
    full join counted
        using (quarter_at)
    where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
        is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
)
select
    to_char(quarter_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as cell,
    concat_ws(' ', ledger_reads, ledger_reads_failed) as ledger,
    concat_ws(' ', counted_reads, counted_reads_failed) as counted
from wrong
order by cell
limit 5

-- name: verifyUnsettled
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- kind_day_unsettled.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- What each device holds of each kind in each stretch.
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        sum(certain) as certain,
        sum(certain + presumed + suspect) as possible,
        sum(reported) as reported,
        sum(suspect) as suspect,
        sum(suspect - still_there) as gone,
        sum(still_there) as still_there,
        bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[claim_platform, claim_os_version, claim_rule]
            order by
                claim_platform collate "C" desc,
                claim_os_version collate "C" desc,
                claim_rule collate "C" desc
        ) filter (where suspect > 0 and still_there is null))[1:1] as claim
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind
),
counted as (
    select
        first,
        last,
        surface,
        kind,
        claim[1][1] as platform,
        claim[1][2] as os_version,
        claim[1][3] as claim_rule,
        count(*) as devices
    from held
    where certain = 0
        and not is_still_there
        and claim is not null
    group by
        first,
        last,
        surface,
        kind,
        claim[1][1],
        claim[1][2],
        claim[1][3]
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        change.sign * devices as counted_devices,
        0 as ledger_devices
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        0,
        change.sign * devices
    from census.kind_day_unsettled
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        0,
        devices
    from census.kind_unsettled_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        platform,
        os_version,
        claim_rule,
        sum(sum(counted_devices)) over so_far as counted_devices,
        sum(sum(ledger_devices)) over so_far as ledger_devices
    from changed
    group by
        position,
        surface,
        kind,
        platform,
        os_version,
        claim_rule
    window so_far as (
        partition by
            surface,
            kind,
            platform,
            os_version,
            claim_rule
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, platform, os_version, claim_rule) as cell,
        concat_ws(
            ' ',
            ledger_devices
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: verifyUses
-- Counts all closed days of app $1 straight from the spans, and compares use_day with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
counted as (
    select
        device_use.month + done.day_of_month - 1 as day,
        device_use.surface,
        device_use.kind,
        device_use.use,
        count(*) as devices,
        sum(done.events) as events
    from census.device_use
    cross join lateral unnest(device_use.days, device_use.events) as done (day_of_month, events)
    where device_use.app_number = $1
        and device_use.use <> 'heard'
        and device_use.month + done.day_of_month - 1 in (select day from census.closed_day where app_number = $1)
    group by
        device_use.month + done.day_of_month - 1,
        device_use.surface,
        device_use.kind,
        device_use.use
),
ledger as (
    select
        day,
        surface,
        kind,
        use,
        sum(devices) as devices,
        sum(events) as events
    from (
        select
            day,
            surface,
            kind,
            use,
            devices,
            events
        from census.use_day
        where app_number = $1
        union all
        select
            day,
            surface,
            kind,
            use,
            devices,
            events
        from census.use_entry
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        surface,
        kind,
        use
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', day, surface, kind, use) as cell,
        concat_ws(
            ' ',
            ledger.devices,
            ledger.events
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices,
            counted.events
        ) as counted
    from ledger
    full join counted
        using (day, surface, kind, use)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5

-- name: verifyVersions
-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- version_day.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
-- The spans of app $1, each from the first to the last of the asked days at whose end it is live: days by their
-- positions in $2.
dated_span as not materialized (
    select
        span.device_id,
        its_days.first,
        its_days.last,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    join zone_day
        on zone_day.zone = span.zone
    cross join lateral (
        select
            width_bucket(span.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(span.to_at, 'infinity'), zone_day.ends) as last
    ) as its_days
    where span.app_number = $1
        and its_days.first <= its_days.last
),
-- From one change of a device's spans to the next.
stretch as (
    select
        device_id,
        position as first,
        lead(position) over (partition by device_id order by position) - 1 as last
    from (
        select distinct
            dated_span.device_id,
            change.position
        from dated_span
        cross join lateral (values (dated_span.first), (dated_span.last + 1)) as change (position)
    ) as changed
),
-- The spans that are live in each stretch.
live_span as (
    select
        stretch.device_id,
        stretch.first,
        stretch.last,
        dated_span.surface,
        dated_span.kind,
        dated_span.family,
        dated_span.certain,
        dated_span.presumed,
        dated_span.suspect,
        dated_span.either,
        dated_span.reported,
        dated_span.still_there,
        dated_span.claim_platform,
        dated_span.claim_os_version,
        dated_span.claim_rule
    from stretch
    join dated_span
        on dated_span.device_id = stretch.device_id
        and stretch.first between dated_span.first and dated_span.last
),
-- The phases of devices of app $1, each from the first to the last of the asked days at whose end it lasts, and the
-- last at whose end its last report still counts: days by their positions in $2.
live_phase as (
    select
        phase.device_id,
        its_days.first,
        its_days.last,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        case when phase.is_reporting then its_days.last_reporting else 0 end as last_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    join zone_day
        on zone_day.zone = phase.zone
    cross join lateral (
        select
            width_bucket(phase.from_at, zone_day.ends) + 1 as first,
            width_bucket(coalesce(phase.to_at, 'infinity'), zone_day.ends) as last,
            width_bucket(coalesce(least(phase.to_at, phase.lapsed_at), 'infinity'), zone_day.ends) as last_reporting
    ) as its_days
    where phase.app_number = $1
        and its_days.first <= its_days.last
),
-- What each device holds of each kind in each stretch.
held as (
    select
        device_id,
        first,
        last,
        surface,
        kind,
        sum(certain) as certain,
        sum(certain + presumed + suspect) as possible,
        sum(reported) as reported,
        sum(suspect) as suspect,
        sum(suspect - still_there) as gone,
        sum(still_there) as still_there,
        bool_or(presumed > 0 or coalesce(still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[claim_platform, claim_os_version, claim_rule]
            order by
                claim_platform collate "C" desc,
                claim_os_version collate "C" desc,
                claim_rule collate "C" desc
        ) filter (where suspect > 0 and still_there is null))[1:1] as claim
    from live_span
    group by
        device_id,
        first,
        last,
        surface,
        kind
),
counted as (
    select
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible
    from held
    join live_phase
        on live_phase.device_id = held.device_id
        and live_phase.first <= held.last
        and live_phase.last >= held.first
    cross join lateral (
        select
            greatest(live_phase.first, held.first) as first,
            least(live_phase.last, held.last) as last
    ) as its_days
    where held.possible > 0
    group by
        its_days.first,
        its_days.last,
        held.surface,
        held.kind,
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform
),
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        change.sign * devices_certain as counted_devices_certain,
        change.sign * devices_possible as counted_devices_possible,
        change.sign * widgets_certain as counted_widgets_certain,
        change.sign * widgets_possible as counted_widgets_possible,
        0 as ledger_devices_certain,
        0 as ledger_devices_possible,
        0 as ledger_widgets_certain,
        0 as ledger_widgets_possible
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        change.sign * devices_certain,
        change.sign * devices_possible,
        change.sign * widgets_certain,
        change.sign * widgets_possible
    from census.version_day
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        0,
        0,
        0,
        0,
        devices_certain,
        devices_possible,
        widgets_certain,
        widgets_possible
    from census.version_entry
    where app_number = $1
),
level as (
    select
        position,
        surface,
        kind,
        app_version,
        os_version,
        platform,
        sum(sum(counted_devices_certain)) over so_far as counted_devices_certain,
        sum(sum(counted_devices_possible)) over so_far as counted_devices_possible,
        sum(sum(counted_widgets_certain)) over so_far as counted_widgets_certain,
        sum(sum(counted_widgets_possible)) over so_far as counted_widgets_possible,
        sum(sum(ledger_devices_certain)) over so_far as ledger_devices_certain,
        sum(sum(ledger_devices_possible)) over so_far as ledger_devices_possible,
        sum(sum(ledger_widgets_certain)) over so_far as ledger_widgets_certain,
        sum(sum(ledger_widgets_possible)) over so_far as ledger_widgets_possible
    from changed
    group by
        position,
        surface,
        kind,
        app_version,
        os_version,
        platform
    window so_far as (
        partition by
            surface,
            kind,
            app_version,
            os_version,
            platform
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', surface, kind, app_version, os_version, platform) as cell,
        concat_ws(
            ' ',
            ledger_devices_certain,
            ledger_devices_possible,
            ledger_widgets_certain,
            ledger_widgets_possible
        ) as ledger,
        concat_ws(
            ' ',
            counted_devices_certain,
            counted_devices_possible,
            counted_widgets_certain,
            counted_widgets_possible
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number

-- name: wrongReads
-- The quarters of an hour of app $1 in which the ledger has other reads than the log: what the log has, how many more
-- that is, and their days as in zone $2.
with
-- The reads of app $1 by quarters of an hour where the ledger has others than the log, as far back as all of it is kept
-- and reads were counted by quarters.
whole as (
    select
        coalesce(
            greatest(
                (select kept_from::timestamp at time zone 'UTC' from census.retention),
                (
                    select max(quarter_at) + interval '1 day'
                    from census.read_quarter
                    where app_number = $1
                        and is_of_day
                )),
            '-infinity') as since
),
counted as (
    select
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
        count(*) as reads,
        count(*) filter (where content::text like '{"error"%') as reads_failed
    from census.observation
    where app_number = $1
        and type = 'widgets_reported'
        and channel = 'production'
        and corrected_at >= (select since from whole)
    group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
),
ledger as (
    select
        quarter_at,
        sum(reads)::bigint as reads,
        sum(reads_failed)::bigint as reads_failed
    from (
        -- The log no longer has the reads of forgotten devices.
        select
            quarter_at,
            reads - reads_erased as reads,
            reads_failed - reads_failed_erased as reads_failed
        from census.read_quarter
        where app_number = $1
            and not is_of_day
        union all
        select
            quarter_at,
            reads - reads_erased,
            reads_failed - reads_failed_erased
        from census.read_entry
        where app_number = $1
    ) as entered
    where quarter_at >= (select since from whole)
    group by quarter_at
),
wrong as (
    select
        quarter_at,
        ledger.reads as ledger_reads,
        ledger.reads_failed as ledger_reads_failed,
        counted.reads as counted_reads,
        counted.reads_failed as counted_reads_failed
    from ledger
    full join counted
        using (quarter_at)
    where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
        is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
)
select
    quarter_at,
    (quarter_at at time zone $2)::date as day,
    coalesce(counted_reads, 0) as counted_reads,
    coalesce(counted_reads_failed, 0) as counted_reads_failed,
    (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
    (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
from wrong
