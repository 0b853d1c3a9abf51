-- live_kinds: on how many devices each widget kind lived, day by day.
--
-- Grain    one row per (app_id, day, surface, kind); closed days only
-- Units    devices: distinct devices; widgets: placements, a lower bound
-- Reads    kind_day, kind_day_unsettled, suspect_share
-- Caveat   a device silent for more than the activity window is absent, not zero
-- Read by  dashboards/live.json; `widget-census report live_kinds`
create or replace view report.live_kinds as
with weighed as (
    select
        unsettled.app_number,
        unsettled.day,
        unsettled.surface,
        unsettled.kind,
        sum(unsettled.devices * coalesce(suspect_share.share, 0.5)) as devices
    from census.kind_day_unsettled as unsettled
    left join census.suspect_share
        on suspect_share.app_number = unsettled.app_number
        and suspect_share.platform = unsettled.platform
        and suspect_share.os_version = unsettled.os_version
        and suspect_share.claim_rule = unsettled.claim_rule
    group by
        unsettled.app_number,
        unsettled.day,
        unsettled.surface,
        unsettled.kind
)
select
    app.app_id,
    kind_day.day,
    kind_day.surface,
    kind_day.kind,
    kind_day.devices_certain,
    kind_day.devices_possible,
    round((
        kind_day.devices_certain + kind_day.devices_still_there + coalesce(weighed.devices, 0)
    )::numeric, 1) as devices_expected,
    kind_day.widgets_certain,
    kind_day.widgets_possible,
    kind_day.widgets_reported,
    kind_day.devices_certain_first_known,
    kind_day.devices_possible_first_known
from census.kind_day
join census.app
    on app.app_number = kind_day.app_number
left join weighed
    on weighed.app_number = kind_day.app_number
    and weighed.day = kind_day.day
    and weighed.surface = kind_day.surface
    and weighed.kind = kind_day.kind;

comment on view report.live_kinds is 'On how many devices each widget kind lived, day by day.';
comment on column report.live_kinds.app_id is 'Bundle id or package name.';
comment on column report.live_kinds.day is 'The day at whose end was counted, in the app''s zone.';
comment on column report.live_kinds.surface is 'widget, control, live_activity or today.';
comment on column report.live_kinds.kind is 'The widget''s kind.';
comment on column report.live_kinds.devices_certain is 'Devices that certainly held it: the lower bound.';
comment on column report.live_kinds.devices_possible is 'Devices that certainly or possibly held it: the upper bound.';
comment on column report.live_kinds.devices_expected is 'The best estimate between the bounds: by the outcome where it is known.';
comment on column report.live_kinds.widgets_certain is 'Placements that were certain.';
comment on column report.live_kinds.widgets_possible is 'Placements that were certain or possible.';
comment on column report.live_kinds.widgets_reported is 'Placements that the OS claimed: the naive number.';
comment on column report.live_kinds.devices_certain_first_known is 'devices_certain as it was known when the day was first closed.';
comment on column report.live_kinds.devices_possible_first_known is 'devices_possible as it was known when the day was first closed.';
