-- The closed days of app $1 from day $3 through $2, for each of kinds $5 on surfaces $4: what was held when it ended, what came
-- and went, and how many devices were active.
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
        -- Less those that proved to hold it after all.
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
