-- live_now: on how many devices each widget kind lives, as of the last reconciled event.
--
-- Grain    one row per (app_id, surface, kind)
-- Units    devices: distinct devices; widgets: placements, a lower bound
-- Reads    span, device, suspect_share
-- Caveat   a device silent for more than the activity window is absent, not zero
-- Read by  `widget-census report live_now`, kind_act
create or replace view report.live_now as
with held as (
    select
        span.app_number,
        span.surface,
        span.kind,
        span.device_id,
        sum(span.certain) as certain,
        sum(span.certain + span.presumed + span.suspect) as possible,
        sum(span.presumed) as presumed,
        sum(span.reported) as reported,
        max(span.claim_platform) as platform,
        coalesce(max(span.claim_os_version), '') as os_version,
        max(span.claim_rule) as claim_rule
    from census.span
    join census.device
        on device.device_id = span.device_id
    where span.from_at <= now()
        -- Where the end lies in the future, it is known that it will fade by then.
        and (span.to_at is null or (span.ended_cause = 'silent' and span.to_at > now()))
        and device.silent_at > now()
    group by
        span.app_number,
        span.surface,
        span.kind,
        span.device_id
),
heard as (
    select
        app_number,
        max(last_heard_at) as as_of
    from census.device
    group by app_number
)
select
    app.app_id,
    held.surface,
    held.kind,
    count(*) filter (where held.certain > 0) as devices_certain,
    count(*) filter (where held.possible > 0) as devices_possible,
    round((
        count(*) filter (where held.certain + held.presumed > 0)
        + coalesce(
            sum(coalesce(suspect_share.share, 0.5)) filter (where held.certain + held.presumed = 0 and held.possible > 0),
            0)
    )::numeric, 1) as devices_expected,
    sum(held.certain)::bigint as widgets_certain,
    sum(held.possible)::bigint as widgets_possible,
    sum(held.reported)::bigint as widgets_reported,
    max(heard.as_of) as as_of
from held
join census.app
    on app.app_number = held.app_number
join heard
    on heard.app_number = held.app_number
left join census.suspect_share
    on suspect_share.app_number = held.app_number
    and suspect_share.platform = held.platform
    and suspect_share.os_version = held.os_version
    and suspect_share.claim_rule = held.claim_rule
group by
    app.app_id,
    held.surface,
    held.kind;

comment on view report.live_now is 'On how many devices each widget kind lives, as of the last reconciled event.';
comment on column report.live_now.app_id is 'Bundle id or package name.';
comment on column report.live_now.surface is 'widget, control, live_activity or today.';
comment on column report.live_now.kind is 'The widget''s kind.';
comment on column report.live_now.devices_certain is 'Devices that certainly hold it: the lower bound.';
comment on column report.live_now.devices_possible is 'Devices that certainly or possibly hold it: the upper bound.';
comment on column report.live_now.devices_expected is 'The best estimate between the bounds.';
comment on column report.live_now.widgets_certain is 'Placements that are certain.';
comment on column report.live_now.widgets_possible is 'Placements that are certain or possible.';
comment on column report.live_now.widgets_reported is 'Placements that the OS claims: the naive number.';
comment on column report.live_now.as_of is 'Time of the app''s last reconciled event.';
