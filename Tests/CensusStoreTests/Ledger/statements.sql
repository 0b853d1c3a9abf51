-- name: LedgerTable.enter kind_day
copy census.kind_entry (
    app_number,
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
) from stdin (format binary)

-- name: LedgerTable.extend kind_day
-- Begins the new days $3 of app $1 with the levels of kind_day at the end of day $2, the day before them.
insert into census.kind_day (
    app_number,
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
    devices_certain_first_known,
    devices_possible_first_known)
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
    and (kind_day.devices_certain <> 0
        or kind_day.devices_possible <> 0
        or kind_day.devices_still_there <> 0
        or kind_day.devices_reported <> 0
        or kind_day.devices_silent <> 0
        or kind_day.widgets_certain <> 0
        or kind_day.widgets_possible <> 0
        or kind_day.widgets_reported <> 0
        or kind_day.widgets_suspect <> 0
        or kind_day.widgets_gone <> 0
        or kind_day.widgets_still_there <> 0)

-- name: LedgerTable.apply kind_day
-- Takes the net changes of kind_day of app $1 up to day $2 from the queue and adds their running sum to every closed day
-- from the first of them on. Days $3 are closed for the first time.
-- Returns the days that changed, one row per cell.
with
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
        partition by touched.surface,
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
    app_number,
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
    devices_certain_first_known,
    devices_possible_first_known)
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

-- name: LedgerTable.sweep kind_day
-- Deletes the rows of kind_day of app $1 since day $2 that have only zeros.
delete from census.kind_day
where app_number = $1
    and day >= $2
    and devices_certain = 0
    and devices_possible = 0
    and devices_still_there = 0
    and devices_reported = 0
    and devices_silent = 0
    and widgets_certain = 0
    and widgets_possible = 0
    and widgets_reported = 0
    and widgets_suspect = 0
    and widgets_gone = 0
    and widgets_still_there = 0
    and devices_certain_first_known = 0
    and devices_possible_first_known = 0

-- name: LedgerTable.compare kind_day
-- Compares kind_day of app $1 on the closed days $2 with the sums of counted_kind_day.
-- Returns at most five differing cells per day, with the numbers of both in the order of the columns.
with
-- Where either changes, by the positions of days in $2.
changed as (
    select
        width_bucket(day - 1, $2::date[]) + 1 as position,
        surface,
        kind,
        devices_certain as counted_devices_certain,
        devices_possible as counted_devices_possible,
        devices_still_there as counted_devices_still_there,
        devices_reported as counted_devices_reported,
        devices_silent as counted_devices_silent,
        widgets_certain as counted_widgets_certain,
        widgets_possible as counted_widgets_possible,
        widgets_reported as counted_widgets_reported,
        widgets_suspect as counted_widgets_suspect,
        widgets_gone as counted_widgets_gone,
        widgets_still_there as counted_widgets_still_there,
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
    from counted_kind_day
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
        partition by surface,
            kind
        order by position)
),
compared as (
    select
        ($2::date[])[position] as day,
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
)
select
    day,
    cell,
    ledger,
    counted
from (
    select
        *,
        row_number() over (partition by day order by cell) as number
    from compared
    where ledger <> counted
) as wrong
where number <= 5
order by
    day,
    number

-- name: LedgerTable.strays kind_day
-- The days of app $1 that are not closed but have rows in kind_day: at most five, with their number of rows.
select
    day,
    'rows of a day that is not closed' as cell,
    count(*)::text as ledger,
    '0' as counted
from census.kind_day
where app_number = $1
    and day not in (select closed_day.day from census.closed_day where app_number = $1)
group by day
order by day
limit 5

-- name: LedgerTable.enter change_day
copy census.change_entry (
    app_number,
    day,
    surface,
    kind,
    family,
    cause,
    widgets_added,
    widgets_removed
) from stdin (format binary)

-- name: LedgerTable.apply change_day
-- Takes the net changes of change_day of app $1 up to day $2 from the queue and adds them to their days.
-- Returns the days that changed, one row per cell.
with
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
    app_number,
    day,
    surface,
    kind,
    family,
    cause,
    widgets_added,
    widgets_removed)
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

-- name: LedgerTable.sweep change_day
-- Deletes the rows of change_day of app $1 since day $2 that have only zeros.
delete from census.change_day
where app_number = $1
    and day >= $2
    and widgets_added = 0
    and widgets_removed = 0

-- name: LedgerTable.compare change_day
-- Compares change_day of app $1 on the closed days $2 with the sums of counted_change_day.
-- Returns at most five differing cells per day, with the numbers of both in the order of the columns.
with
told as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        widgets_added as counted_widgets_added,
        widgets_removed as counted_widgets_removed,
        0 as ledger_widgets_added,
        0 as ledger_widgets_removed
    from counted_change_day
    union all
    select
        day,
        surface,
        kind,
        family,
        cause,
        0,
        0,
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
        0,
        0,
        widgets_added,
        widgets_removed
    from census.change_entry
    where app_number = $1
),
flow as (
    select
        day,
        surface,
        kind,
        family,
        cause,
        sum(counted_widgets_added) as counted_widgets_added,
        sum(counted_widgets_removed) as counted_widgets_removed,
        sum(ledger_widgets_added) as ledger_widgets_added,
        sum(ledger_widgets_removed) as ledger_widgets_removed
    from told
    where day = any($2::date[])
    group by
        day,
        surface,
        kind,
        family,
        cause
),
compared as (
    select
        day,
        concat_ws(' ', surface, kind, family, cause) as cell,
        concat_ws(
            ' ',
            ledger_widgets_added,
            ledger_widgets_removed
        ) as ledger,
        concat_ws(
            ' ',
            counted_widgets_added,
            counted_widgets_removed
        ) as counted
    from flow
)
select
    day,
    cell,
    ledger,
    counted
from (
    select
        *,
        row_number() over (partition by day order by cell) as number
    from compared
    where ledger <> counted
) as wrong
where number <= 5
order by
    day,
    number

-- name: LedgerTable.strays change_day
-- The days of app $1 that are not closed but have rows in change_day: at most five, with their number of rows.
select
    day,
    'rows of a day that is not closed' as cell,
    count(*)::text as ledger,
    '0' as counted
from census.change_day
where app_number = $1
    and day not in (select closed_day.day from census.closed_day where app_number = $1)
group by day
order by day
limit 5

-- name: LedgerTable.apply install_day
-- Takes the net changes of install_day of app $1 up to day $2 from the queue and adds their running sum to every closed day
-- from the first of them on. Days $3 are closed for the first time.
-- Returns the days that changed, one row per cell.
with
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
        partition by touched.cell
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
    app_number,
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
    widgets_reported)
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

-- name: LedgerStatements.clear
with
kind_day_rows as (
    delete from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
),
kind_entry_rows as (
    delete from census.kind_entry
    where app_number = $1
        and true
),
kind_unsettled_entry_rows as (
    delete from census.kind_unsettled_entry
    where app_number = $1
        and true
),
version_entry_rows as (
    delete from census.version_entry
    where app_number = $1
        and true
),
install_entry_rows as (
    delete from census.install_entry
    where app_number = $1
        and true
),
intent_entry_rows as (
    delete from census.intent_entry
    where app_number = $1
        and true
),
device_entry_rows as (
    delete from census.device_entry
    where app_number = $1
        and true
),
widget_count_entry_rows as (
    delete from census.widget_count_entry
    where app_number = $1
        and true
),
change_entry_rows as (
    delete from census.change_entry
    where app_number = $1
        and true
),
move_entry_rows as (
    delete from census.move_entry
    where app_number = $1
        and true
),
outcome_entry_rows as (
    delete from census.outcome_entry
    where app_number = $1
        and true
),
active_entry_rows as (
    delete from census.active_entry
    where app_number = $1
        and true
),
overlap_entry_rows as (
    delete from census.overlap_entry
    where app_number = $1
        and true
),
use_entry_rows as (
    delete from census.use_entry
    where app_number = $1
        and true
),
cohort_entry_rows as (
    delete from census.cohort_entry
    where app_number = $1
        and true
),
lifetime_entry_rows as (
    delete from census.lifetime_entry
    where app_number = $1
        and true
),
first_widget_entry_rows as (
    delete from census.first_widget_entry
    where app_number = $1
        and true
),
engagement_entry_rows as (
    delete from census.engagement_entry
    where app_number = $1
        and true
),
kind_day_unsettled_rows as (
    delete from census.kind_day_unsettled
    where app_number = $1
        and true
),
version_day_rows as (
    delete from census.version_day
    where app_number = $1
        and true
),
install_day_rows as (
    delete from census.install_day
    where app_number = $1
        and true
),
intent_day_rows as (
    delete from census.intent_day
    where app_number = $1
        and true
),
device_day_rows as (
    delete from census.device_day
    where app_number = $1
        and true
),
widget_count_day_rows as (
    delete from census.widget_count_day
    where app_number = $1
        and true
),
change_day_rows as (
    delete from census.change_day
    where app_number = $1
        and true
),
move_day_rows as (
    delete from census.move_day
    where app_number = $1
        and true
),
outcome_day_rows as (
    delete from census.outcome_day
    where app_number = $1
        and true
),
active_day_rows as (
    delete from census.active_day
    where app_number = $1
        and true
),
overlap_day_rows as (
    delete from census.overlap_day
    where app_number = $1
        and true
),
use_day_rows as (
    delete from census.use_day
    where app_number = $1
        and true
),
cohort_day_rows as (
    delete from census.cohort_day
    where app_number = $1
        and true
),
lifetime_day_rows as (
    delete from census.lifetime_day
    where app_number = $1
        and true
),
first_widget_day_rows as (
    delete from census.first_widget_day
    where app_number = $1
        and true
),
engagement_day_rows as (
    delete from census.engagement_day
    where app_number = $1
        and true
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

-- name: LedgerStatements.contents
select
    day,
    true as is_kind,
    hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
    hashtextextended(row(devices_certain, devices_possible, devices_still_there, devices_reported, devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone, widgets_still_there)::text, 0) as numbers
from census.kind_day
where app_number = $1
    -- Rows of zeros, kept only for first known numbers, don't count.
    and (devices_certain <> 0 or devices_possible <> 0 or devices_still_there <> 0 or devices_reported <> 0 or devices_silent <> 0 or widgets_certain <> 0 or widgets_possible <> 0 or widgets_reported <> 0 or widgets_suspect <> 0 or widgets_gone <> 0 or widgets_still_there <> 0)
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
    bit_xor(hashtextextended(intent_day::text, 0))
from census.intent_day
where app_number = $1
group by day
union all
select
    day,
    false,
    5,
    bit_xor(hashtextextended(device_day::text, 0))
from census.device_day
where app_number = $1
group by day
union all
select
    day,
    false,
    6,
    bit_xor(hashtextextended(widget_count_day::text, 0))
from census.widget_count_day
where app_number = $1
group by day
union all
select
    day,
    false,
    7,
    bit_xor(hashtextextended(change_day::text, 0))
from census.change_day
where app_number = $1
group by day
union all
select
    day,
    false,
    8,
    bit_xor(hashtextextended(move_day::text, 0))
from census.move_day
where app_number = $1
group by day
union all
select
    day,
    false,
    9,
    bit_xor(hashtextextended(outcome_day::text, 0))
from census.outcome_day
where app_number = $1
group by day
union all
select
    day,
    false,
    10,
    bit_xor(hashtextextended(active_day::text, 0))
from census.active_day
where app_number = $1
group by day
union all
select
    day,
    false,
    11,
    bit_xor(hashtextextended(overlap_day::text, 0))
from census.overlap_day
where app_number = $1
group by day
union all
select
    day,
    false,
    12,
    bit_xor(hashtextextended(use_day::text, 0))
from census.use_day
where app_number = $1
group by day
union all
select
    day,
    false,
    13,
    bit_xor(hashtextextended(cohort_day::text, 0))
from census.cohort_day
where app_number = $1
group by day
union all
select
    day,
    false,
    14,
    bit_xor(hashtextextended(lifetime_day::text, 0))
from census.lifetime_day
where app_number = $1
group by day
union all
select
    day,
    false,
    15,
    bit_xor(hashtextextended(first_widget_day::text, 0))
from census.first_widget_day
where app_number = $1
group by day
union all
select
    day,
    false,
    16,
    bit_xor(hashtextextended(engagement_day::text, 0))
from census.engagement_day
where app_number = $1
group by day

-- name: LedgerStatements.open
select
    min(day) as first_closed_day,
    max(day) as last_closed_day,
    (
        select min(first_day)
        from (
            select (min(quarter_at) at time zone $3)::date as first_day
            from census.read_entry
            where app_number = $1
            union all select min(day) from census.kind_entry where app_number = $1
            union all select min(day) from census.kind_unsettled_entry where app_number = $1
            union all select min(day) from census.version_entry where app_number = $1
            union all select min(day) from census.install_entry where app_number = $1
            union all select min(day) from census.intent_entry where app_number = $1
            union all select min(day) from census.device_entry where app_number = $1
            union all select min(day) from census.widget_count_entry where app_number = $1
            union all select min(day) from census.change_entry where app_number = $1
            union all select min(day) from census.move_entry where app_number = $1
            union all select min(day) from census.outcome_entry where app_number = $1
            union all select min(day) from census.active_entry where app_number = $1
            union all select min(day) from census.overlap_entry where app_number = $1
            union all select min(day) from census.use_entry where app_number = $1
            union all select min(day) from census.cohort_entry where app_number = $1
            union all select min(day) from census.lifetime_entry where app_number = $1
            union all select min(day) from census.first_widget_entry where app_number = $1
            union all select min(day) from census.engagement_entry where app_number = $1
        ) as entered
        where first_day <= greatest(
            $2::date, (select max(day) from census.closed_day where app_number = $1))
    ) as first_entered_day
from census.closed_day
where app_number = $1
