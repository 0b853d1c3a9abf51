-- live_kinds: on how many devices each widget kind lived, day by day.
--
-- Grain    one row per (app_id, day, surface, kind); closed days only
-- Units    devices: distinct devices; widgets: placements, a lower bound
-- Reads    kind_day, kind_day_unsettled, suspect_share
-- Caveat   a device silent for more than the activity window is absent, not zero
-- Read by  dashboards (decision, installs, quality); `widget-census report live_kinds`
-- Order    app_id, day, surface, devices_possible desc, kind
-- Empty    no closed day has anything that matches; `widget-census nightly` closes days
-- Budget   120..400 blocks
create or replace view report.live_kinds as
select
    app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    counted.devices_certain,
    counted.devices_possible,
    counted.devices_expected,
    counted.widgets_certain,
    counted.widgets_possible,
    counted.widgets_reported,
    counted.devices_certain_first_known,
    counted.devices_possible_first_known,
    counted.devices_reported
from census.app
-- One app at a time, with levels and weights side by side: a reader's filter on app and day reaches the keys of both.
cross join lateral (
    select
        part.day,
        part.surface,
        part.kind,
        sum(part.devices_certain)::bigint as devices_certain,
        sum(part.devices_possible)::bigint as devices_possible,
        round(sum(part.devices_expected), 1) as devices_expected,
        sum(part.widgets_certain)::bigint as widgets_certain,
        sum(part.widgets_possible)::bigint as widgets_possible,
        sum(part.widgets_reported)::bigint as widgets_reported,
        sum(part.devices_certain_first_known)::bigint as devices_certain_first_known,
        sum(part.devices_possible_first_known)::bigint as devices_possible_first_known,
        sum(part.devices_reported)::bigint as devices_reported
    from (
        select
            kind_day.day,
            kind_day.surface,
            kind_day.kind,
            kind_day.devices_certain,
            kind_day.devices_possible,
            (kind_day.devices_certain + kind_day.devices_still_there)::numeric as devices_expected,
            kind_day.widgets_certain,
            kind_day.widgets_possible,
            kind_day.widgets_reported,
            kind_day.devices_certain_first_known,
            kind_day.devices_possible_first_known,
            kind_day.devices_reported
        from census.kind_day
        where kind_day.app_number = app.app_number
            -- Not a row that is there for its silent devices alone.
            and (
                kind_day.devices_possible <> 0
                or kind_day.widgets_reported <> 0
                or kind_day.devices_possible_first_known <> 0
            )
        union all
        select
            unsettled.day,
            unsettled.surface,
            unsettled.kind,
            0,
            0,
            unsettled.devices * coalesce(known.share, 0.5),
            0,
            0,
            0,
            0,
            0,
            0
        from census.kind_day_unsettled as unsettled
        left join (
            select
                suspect_share.platform,
                suspect_share.os_version,
                suspect_share.claim_rule,
                suspect_share.share
            from census.suspect_share
            where suspect_share.app_number = app.app_number
        ) as known
            on known.platform = unsettled.platform
            and known.os_version = unsettled.os_version
            and known.claim_rule = unsettled.claim_rule
        where unsettled.app_number = app.app_number
    ) as part
    group by
        part.day,
        part.surface,
        part.kind
) as counted;

comment on view report.live_kinds is 'On how many devices each widget kind lived, day by day.';
comment on column report.live_kinds.app_id is 'Bundle id or package name.';
comment on column report.live_kinds.day is 'The day at whose end was counted, in the app''s zone.';
comment on column report.live_kinds.surface is 'widget, control, live_activity or today.';
comment on column report.live_kinds.kind is 'The widget''s kind.';
comment on column report.live_kinds.devices_certain is 'Devices that certainly held it: the lower bound.';
comment on column report.live_kinds.devices_possible is 'Devices that certainly or possibly held it: the upper bound.';
comment on column report.live_kinds.devices_expected is 'The estimate between the bounds: by a suspect''s outcome if that is known, else by the share of its OS version''s suspects that were still there, or one half while nothing is known.';
comment on column report.live_kinds.widgets_certain is 'Placements that were certain.';
comment on column report.live_kinds.widgets_possible is 'Placements that were certain or possible.';
comment on column report.live_kinds.widgets_reported is 'Placements that the OS claimed: the naive number.';
comment on column report.live_kinds.devices_certain_first_known is 'devices_certain when the day was first closed.';
comment on column report.live_kinds.devices_possible_first_known is 'devices_possible when the day was first closed.';
comment on column report.live_kinds.devices_reported is 'Devices whose OS claimed it: the naive number of devices.';
