-- name: begin
-- Settings for the comparison, which sorts and joins all of an app's devices: 4 MB would go to disk, compiling costs more
-- than it saves, and the planner takes too few of them to be affected.
set local work_mem = '32MB';
set local enable_nestloop = off;
set local jit = off

-- name: asOf
-- The time up to which app $1 is counted, how many devices sent events but are not counted, and how many counted ones have sent
-- more since.
select
    (
        select as_of
        from census.reconciled
        where reconciled.app_number = $1
    ) as as_of,
    (
        select count(*)
        from census.unknown_device
        where unknown_device.app_number = $1
    ) as devices_unknown,
    (
        select count(*)
        from census.waiting_device
        where waiting_device.app_number = $1
    ) as devices_waiting

-- name: cells
-- What devices of app $1 that are active, or fell silent within a year, possibly hold, each combination once. Time-based changes are stored
-- ahead: a current span can have its end in the future.
select distinct
    span.surface,
    span.kind,
    span.family,
    span.intent,
    device.platform,
    device.app_version
from census.span
join census.device
    on device.device_id = span.device_id
where span.app_number = $1
    and span.from_at <= now()
    and (span.to_at is null or span.to_at > now())
    and span.certain + span.presumed + span.suspect + span.either > 0
    and device.silent_at > now() - interval '365 days'

-- name: former
-- The kinds of widgets and controls that devices of app $1 had within a year, if only for a moment, without those that were retired.
select distinct
    span.surface,
    span.kind
from census.span
where span.app_number = $1
    and span.surface in ('widget', 'control')
    and (span.to_at is null or span.to_at > now() - interval '365 days')
    and not exists (
        select 1
        from census.kind_state
        where kind_state.app_number = $1
            and kind_state.surface = span.surface
            and kind_state.kind = span.kind
            and kind_state.lifecycle = 'retired')

-- name: held
-- On how many devices of app $1 each kind is, by kind, by family and by intent. Devices count that are active or fell
-- silent within a year, and placements that are possible.
with held as materialized (
    select distinct
        span.device_id,
        span.surface,
        span.kind,
        span.family,
        span.intent
    from census.span
    join census.device
        on device.device_id = span.device_id
    where span.app_number = $1
        and span.from_at <= now()
        and (span.to_at is null or span.to_at > now())
        and span.certain + span.presumed + span.suspect + span.either > 0
        and device.silent_at > now() - interval '365 days'
)
select
    surface,
    kind,
    'kind' as part,
    null as name,
    count(distinct device_id) as devices
from held
group by
    surface,
    kind
union all
select
    surface,
    kind,
    'family',
    family,
    count(distinct device_id)
from held
group by
    surface,
    kind,
    family
union all
select
    surface,
    kind,
    'intent',
    intent,
    count(distinct device_id)
from held
group by
    surface,
    kind,
    intent
order by
    surface,
    kind,
    part,
    devices desc,
    name

-- name: losses
-- How many devices of app $1 the changes $2 affect, by the changes that affect a device; then the widgets of each change. There
-- are $3 changes.
--
-- $2 is a JSON array: a cell, the position of the change that removes it, and whether that is certain, or certain for one of
-- several changes. The join with it is an outer one, because the planner must not begin with it: it takes every combination of a
-- device with a cell of its version.
with lost as (
    select
        change,
        is_certain,
        is_one_of,
        surface,
        kind,
        family,
        intent,
        platform,
        app_version
    from jsonb_to_recordset($2::jsonb) as lost (
        change integer, is_certain boolean, is_one_of boolean, surface text, kind text, family text, intent text, platform text,
        app_version text)
),
hit as materialized (
    select
        span.device_id,
        device.app_version,
        device.silent_at <= now() as is_silent,
        lost.change,
        lost.is_certain and span.certain > 0 and device.silent_at > now() as is_certain,
        lost.is_one_of and span.certain > 0 and device.silent_at > now() as is_one_of,
        case when lost.is_certain and device.silent_at > now() then span.certain else 0 end as widgets_certain,
        span.certain + span.presumed + span.suspect as widgets_possible
    from census.span
    join census.device
        on device.device_id = span.device_id
    left join lost
        on lost.surface = span.surface
        and lost.kind = span.kind
        and lost.platform = device.platform
        and lost.app_version = device.app_version
        and lost.family is not distinct from span.family
        and lost.intent is not distinct from span.intent
    where span.app_number = $1
        and span.kind = any(array(
            select kind
            from lost))
        and span.from_at <= now()
        and (span.to_at is null or span.to_at > now())
        and span.certain + span.presumed + span.suspect + span.either > 0
        and device.silent_at > now() - interval '365 days'
),
device as (
    select
        app_version,
        is_silent,
        bit_or(mask) as changes,
        bit_or(mask) filter (where is_certain) as certain_changes,
        bit_or(mask) filter (where is_one_of) as alternatives
    from (
        select
            device_id,
            app_version,
            is_silent,
            is_certain,
            is_one_of,
            set_bit(repeat('0', $3)::bit varying, change, 1) as mask
        from hit
        where change is not null) as masked
    group by
        device_id,
        app_version,
        is_silent
),
counted as (
    select
        app_version,
        is_silent,
        changes,
        certain_changes,
        alternatives,
        count(*) as devices
    from device
    group by
        app_version,
        is_silent,
        changes,
        certain_changes,
        alternatives
)
select
    array(
        select change
        from generate_series(0, $3 - 1) as change
        where get_bit(changes, change) = 1) as changes,
    array(
        select change
        from generate_series(0, $3 - 1) as change
        where get_bit(certain_changes, change) = 1) as certain_changes,
    array(
        select change
        from generate_series(0, $3 - 1) as change
        where get_bit(alternatives, change) = 1) as alternatives,
    app_version,
    is_silent,
    devices,
    0::bigint as widgets_certain,
    0::bigint as widgets_possible
from counted
union all
select
    array[change],
    array[]::integer[],
    array[]::integer[],
    app_version,
    is_silent,
    0,
    sum(widgets_certain)::bigint,
    sum(widgets_possible)::bigint
from hit
where change is not null
group by
    change,
    app_version,
    is_silent

-- name: versions
-- The devices of app $1 that are active, or fell silent within a year, by app version. If the app has widgets, only a list of
-- widgets counts as a report, and no list of phones that share an id.
select
    device.app_version,
    count(*) filter (where device.silent_at > now()) as active,
    count(*) filter (
        where device.silent_at > now()
            and not device.is_cloned
            and case
                when app.has_widgets and device.last_report_at is not null then device.widgets_until
                else device.reporting_until
            end > now()) as reporting,
    count(*) filter (where device.silent_at <= now()) as silent
from census.device
cross join (
    select exists (
        select 1
        from census.kind_day
        where app_number = $1
            and surface = 'widget') as has_widgets
) as app
where device.app_number = $1
    and device.silent_at > now() - interval '365 days'
group by device.app_version
order by device.app_version collate "C"
