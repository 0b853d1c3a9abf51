-- What is known about each kind of app $1 that is legacy or retired, through day $2.
with act as (
    select
        surface,
        kind,
        lifecycle,
        acted_at
    from census.kind_state
    where app_number = $1
),
-- Since when it is legacy without a break: the act after the last that made it active.
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
        -- Because devices that ran them held it, or by the manifest of a version that devices have run.
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
join act
    on act.lifecycle <> 'active'
join marked
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
