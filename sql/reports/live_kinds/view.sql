-- live_kinds: how many devices had each widget kind at the end of each day.
--
-- Grain    one row per (app_id, day, surface, kind); closed days only
-- Units    devices: distinct devices; widgets: placements, counted low because the OS may merge identical ones
-- Reads    kind_day, kind_day_unsettled, suspect_share
-- Caveat   a device that was silent for longer than the activity window is not counted
-- Read by  dashboards (decision, installs, quality); `widget-census report live_kinds`
-- Order    app_id, day, surface, devices_possible desc, kind
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
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
-- One app at a time, with levels and weights side by side, so that a filter on app and day can use the keys of both.
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
            -- Skip rows that exist only for their silent devices.
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

comment on view report.live_kinds is 'How many devices had each widget kind at the end of each day.';
comment on column report.live_kinds.app_id is 'Bundle id or package name.';
comment on column report.live_kinds.day is 'Day at whose end we counted, in the app''s time zone.';
comment on column report.live_kinds.surface is 'widget, control, live_activity or today.';
comment on column report.live_kinds.kind is 'The widget''s kind.';
comment on column report.live_kinds.devices_certain is 'At least this many devices had it (lower bound).';
comment on column report.live_kinds.devices_possible is 'At most this many devices had it (upper bound).';
comment on column report.live_kinds.devices_expected is 'Best estimate between the bounds: suspects count by their outcome if it is known, else by the share for their OS version, else by one half.';
comment on column report.live_kinds.widgets_certain is 'Certain placements.';
comment on column report.live_kinds.widgets_possible is 'Certain or possible placements.';
comment on column report.live_kinds.widgets_reported is 'Placements that the OS listed: the naive number.';
comment on column report.live_kinds.devices_certain_first_known is 'devices_certain as it was when the day was first closed.';
comment on column report.live_kinds.devices_possible_first_known is 'devices_possible as it was when the day was first closed.';
comment on column report.live_kinds.devices_reported is 'Devices whose OS listed it: the naive number of devices.';
