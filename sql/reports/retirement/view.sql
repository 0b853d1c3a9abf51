-- retirement: whether a legacy kind can be dropped, and each condition with its figure and its limit.
--
-- Grain    one row per (app_id, surface, kind) that is legacy or retired
-- Units    devices: distinct devices
-- Reads    kind_state, readiness, closed_day
-- Caveat   as of the last verdict; each night and each decision makes one. If a day has ended since, the report shows
--          unknown
-- Read by  dashboards (decision); `widget-census report retirement`
-- Empty    no kind is marked legacy; `widget-census kinds mark KIND --legacy --app APP_ID` marks one
-- Spare    reason, half_life_low, half_life_high, ready_on_earliest, ready_on_latest, devices_with_replacement,
--          half_life_days, lifecycle, devices_silent, devices_certain
-- Budget   5..60 blocks
create or replace view report.retirement as
select
    app.app_id,
    act.surface,
    act.kind,
    case when act.lifecycle = 'legacy' and judged.verdict = 'ready' then 'retire_ready' else act.lifecycle end
        as lifecycle,
    newest.devices_certain,
    newest.devices_possible,
    round(newest.devices_expected::numeric, 1) as devices_expected,
    newest.devices_silent,
    newest.devices_with_replacement,
    newest.limit_devices,
    newest.half_life_days,
    newest.half_life_low,
    newest.half_life_high,
    newest.ready_on,
    newest.ready_on_earliest,
    newest.ready_on_latest,
    judged.verdict,
    judged.reason
from census.kind_state as act
join census.app
    on app.app_number = act.app_number
left join lateral (
    select readiness.*
    from census.readiness
    where readiness.app_number = act.app_number
        and readiness.surface = act.surface
        and readiness.kind = act.kind
    order by readiness.day desc
    limit 1
) as newest
    on true
cross join lateral (
    select (now() at time zone app.zone)::date - 1 as last_ended
) as today
cross join lateral (
    select
        case
            when act.lifecycle = 'retired' then 'retired'
            when newest.day is null or newest.day < today.last_ended then 'unknown'
            else newest.verdict
        end as verdict,
        case
            when act.lifecycle = 'retired' then 'A person retired it.'
            when newest.day is null then 'It has no verdict yet; run `widget-census nightly`.'
            when newest.day < today.last_ended then
                format('The last verdict is from %s, but later days have ended; run `widget-census nightly`.', newest.day)
            else newest.reason
        end as reason
) as judged
where act.lifecycle <> 'active';

comment on view report.retirement is 'Whether a legacy kind can be dropped, and each condition with its figure and its limit.';
comment on column report.retirement.app_id is 'Bundle id or package name.';
comment on column report.retirement.surface is 'widget, control, live_activity or today.';
comment on column report.retirement.kind is 'The widget''s kind.';
comment on column report.retirement.lifecycle is 'legacy, retire_ready (computed) or retired.';
comment on column report.retirement.devices_certain is 'At least this many active devices have it (lower bound).';
comment on column report.retirement.devices_possible is 'At most this many active devices have it (upper bound).';
comment on column report.retirement.devices_expected is 'Best estimate between the bounds.';
comment on column report.retirement.devices_silent is 'Devices that went silent with it at most a year ago.';
comment on column report.retirement.devices_with_replacement is 'Possible holders that certainly have the replacement; null: none was named.';
comment on column report.retirement.limit_devices is 'Limit for devices_possible + devices_silent: the app''s device limit, or its share of the active devices (but no fewer than 3) if that is smaller.';
comment on column report.retirement.half_life_days is 'Days until half of the active holders have lost it or fallen silent, at the rate of the last weeks; null: cannot be estimated.';
comment on column report.retirement.half_life_low is 'Lower end of its 80% interval.';
comment on column report.retirement.half_life_high is 'Upper end of its 80% interval; null: open-ended.';
comment on column report.retirement.ready_on is 'Day at whose end it will be ready at this rate; null: never, or cannot be estimated.';
comment on column report.retirement.ready_on_earliest is 'Earliest day of the 80% interval.';
comment on column report.retirement.ready_on_latest is 'Latest day of the 80% interval; null: open-ended.';
comment on column report.retirement.verdict is 'ready, not ready, unknown or retired.';
comment on column report.retirement.reason is 'Every condition that fails, with its figure and its limit; or, when it is ready, the figures that make it so.';
