-- retirement: may a legacy kind be dropped? Each condition with its figure and its limit.
--
-- Grain    one row per (app_id, surface, kind) that was marked legacy or retired
-- Units    devices: distinct devices
-- Reads    kind_act, live_now, span, device, kind_day, closed_day
-- Caveat   half_life_days, ready_on and devices_with_replacement are null: nothing computes them yet
-- Read by  `widget-census report retirement`, `widget-census kinds list`
-- Empty    no kind was marked; `widget-census kinds mark KIND --legacy --app APP_ID` does
create or replace view report.retirement as
with act as (
    select distinct on (app_number, surface, kind)
        app_number,
        surface,
        kind,
        lifecycle
    from census.kind_act
    order by
        app_number,
        surface,
        kind,
        act_number desc
),
active as (
    select
        app.app_number,
        count(device.device_id) as devices,
        count(device.device_id) filter (where device.zone is null) as uncounted,
        -- As coverage has it: a successful report of any installation, until the window after it ends.
        count(device.device_id) filter (where device.reporting_until > now()) as reporting
    from census.app
    left join census.device
        on device.app_number = app.app_number
        and device.silent_at > now()
    group by app.app_number
),
-- People who look at a widget and never open the app: the window has forgotten them, their home screen has not.
silent as (
    select
        span.app_number,
        span.surface,
        span.kind,
        count(distinct span.device_id) as devices
    from census.span
    join census.device
        on device.device_id = span.device_id
    where span.to_at is null
        and span.certain + span.presumed + span.suspect > 0
        and device.silent_at <= now()
        and device.last_heard_at > now() - interval '1 year'
    group by
        span.app_number,
        span.surface,
        span.kind
),
figures as (
    select
        act.app_number,
        app.app_id,
        app.zone,
        act.surface,
        act.kind,
        act.lifecycle,
        app.ready_days,
        app.minimum_coverage,
        active.devices as devices_active,
        active.reporting as devices_reporting,
        active.uncounted as devices_uncounted,
        coalesce(live_now.devices_certain, 0) as devices_certain,
        coalesce(live_now.devices_possible, 0) as devices_possible,
        coalesce(live_now.devices_expected, 0) as devices_expected,
        coalesce(silent.devices, 0) as devices_silent,
        least(app.limit_devices, floor(app.limit_share * active.devices))::bigint as limit_devices
    from act
    join census.app
        on app.app_number = act.app_number
    join active
        on active.app_number = act.app_number
    left join report.live_now
        on live_now.app_id = app.app_id
        and live_now.surface = act.surface
        and live_now.kind = act.kind
    left join silent
        on silent.app_number = act.app_number
        and silent.surface = act.surface
        and silent.kind = act.kind
    where act.lifecycle <> 'active'
),
-- The last ready_days closed days that have ended, which a day closed in a zone further east may not have: on how many of them
-- few enough devices may have held the kind.
recent as (
    select
        figures.app_number,
        figures.surface,
        figures.kind,
        count(*) filter (where coalesce(kind_day.devices_possible, 0) <= figures.limit_devices) as days_under
    from figures
    join lateral (
        select day
        from census.closed_day
        where closed_day.app_number = figures.app_number
            and closed_day.day < (now() at time zone figures.zone)::date
        order by day desc
        limit figures.ready_days
    ) as closed
        on true
    left join census.kind_day
        on kind_day.app_number = figures.app_number
        and kind_day.day = closed.day
        and kind_day.surface = figures.surface
        and kind_day.kind = figures.kind
    group by
        figures.app_number,
        figures.surface,
        figures.kind
),
judged as (
    select
        figures.*,
        coalesce(recent.days_under, 0) as days_under,
        array_remove(array[
            -- After a migration that has everything recounted, what is not counted yet is not zero.
            case when devices_uncounted > 0 then
                format('%s active devices wait to be recounted', devices_uncounted) end,
            case when devices_possible + devices_silent > limit_devices then
                format('%s devices may still hold it (%s active, %s silent); the limit is %s',
                    devices_possible + devices_silent, devices_possible, devices_silent, limit_devices) end,
            case when coalesce(recent.days_under, 0) < ready_days then
                format('%s of the last %s closed days were at or under the limit; all must be',
                    coalesce(recent.days_under, 0), ready_days) end,
            case when devices_active = 0 then
                'no active device: nothing is known'
            when devices_reporting < minimum_coverage * devices_active then
                format('%s of %s active devices reported within the window; %s%% must',
                    devices_reporting, devices_active, round((100 * minimum_coverage)::numeric)) end
        ], null) as obstacles
    from figures
    left join recent
        on recent.app_number = figures.app_number
        and recent.surface = figures.surface
        and recent.kind = figures.kind
)
select
    app_id,
    surface,
    kind,
    case when lifecycle = 'legacy' and cardinality(obstacles) = 0 then 'retire_ready' else lifecycle end as lifecycle,
    devices_certain,
    devices_possible,
    devices_expected,
    devices_silent,
    null::bigint as devices_with_replacement,
    limit_devices,
    null::double precision as half_life_days,
    null::date as ready_on,
    case
        when lifecycle = 'retired' then 'retired'
        when cardinality(obstacles) = 0 then 'ready'
        else 'not ready'
    end as verdict,
    case
        when lifecycle = 'retired' then 'a person retired it'
        when cardinality(obstacles) = 0 then
            format('at most %s devices would lose it; the limit is %s, and no more active devices may have held it on any of the '
                    || 'last %s closed days',
                devices_possible + devices_silent, limit_devices, ready_days)
        else array_to_string(obstacles, '; ')
    end as reason
from judged;

comment on view report.retirement is 'May a legacy kind be dropped? Each condition with its figure and its limit.';
comment on column report.retirement.app_id is 'Bundle id or package name.';
comment on column report.retirement.surface is 'widget, control, live_activity or today.';
comment on column report.retirement.kind is 'The widget''s kind.';
comment on column report.retirement.lifecycle is 'legacy, retire_ready (computed) or retired.';
comment on column report.retirement.devices_certain is 'Active devices that certainly hold it.';
comment on column report.retirement.devices_possible is 'Active devices that certainly or possibly hold it.';
comment on column report.retirement.devices_expected is 'The best estimate between the bounds.';
comment on column report.retirement.devices_silent is 'Devices past the activity window, heard from within a year, that held it when last heard from.';
comment on column report.retirement.devices_with_replacement is 'Holders that already have the replacing kind; null: no manifest names one.';
comment on column report.retirement.limit_devices is 'devices_possible + devices_silent must not exceed it: the smaller of the app''s absolute limit and its share of the active devices.';
comment on column report.retirement.half_life_days is 'Days in which the installed base halves; null: not computed.';
comment on column report.retirement.ready_on is 'When it will be ready at this rate; null: not computed.';
comment on column report.retirement.verdict is 'ready, not ready or retired.';
comment on column report.retirement.reason is 'Every condition that fails, with its figure and its limit; or why it is ready.';
