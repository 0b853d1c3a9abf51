-- live_now: how many devices have each widget kind now, as of the last reconciled event.
--
-- Grain    one row per (app_id, surface, kind) that a device possibly has or an OS lists
-- Units    devices: distinct devices; widgets: placements, counted low because the OS may merge identical ones
-- Reads    kind_day, kind_day_unsettled, kind_entry, kind_unsettled_entry, closed_day, suspect_share, reconciled
-- Caveat   a device that was silent for longer than the activity window is not counted; it leaves when the reconciler or a
--          night next processes it
-- Read by  dashboards (decision, installs, losses, quality); retirement; kind_act; `widget-census report live_now`
-- Order    app_id, surface, devices_possible desc, kind
-- Empty    no matching device reported within the activity window
-- Spare    as_of, widgets_reported, widgets_possible, widgets_certain
-- Budget   85..350 blocks
create or replace view report.live_now as
select
    app.app_id,
    counted.surface,
    counted.kind,
    counted.devices_certain,
    counted.devices_possible,
    counted.devices_expected,
    counted.widgets_certain,
    counted.widgets_possible,
    counted.widgets_reported,
    reconciled.as_of
from census.app
-- The level of the last closed day, plus every net change that no night has processed yet.
cross join lateral (
    select
        part.surface,
        part.kind,
        sum(part.devices_certain)::bigint as devices_certain,
        sum(part.devices_possible)::bigint as devices_possible,
        round(sum(part.devices_expected), 1) as devices_expected,
        sum(part.widgets_certain)::bigint as widgets_certain,
        sum(part.widgets_possible)::bigint as widgets_possible,
        sum(part.widgets_reported)::bigint as widgets_reported
    from (
        select
            kind_day.surface,
            kind_day.kind,
            kind_day.devices_certain,
            kind_day.devices_possible,
            (kind_day.devices_certain + kind_day.devices_still_there)::numeric as devices_expected,
            kind_day.widgets_certain,
            kind_day.widgets_possible,
            kind_day.widgets_reported
        from census.kind_day
        where kind_day.app_number = app.app_number
            and kind_day.day = (select max(day) from census.closed_day where closed_day.app_number = app.app_number)
        union all
        -- Summed here, where the planner knows that there are few kinds.
        select
            kind_entry.surface,
            kind_entry.kind,
            sum(kind_entry.devices_certain)::bigint,
            sum(kind_entry.devices_possible)::bigint,
            sum(kind_entry.devices_certain + kind_entry.devices_still_there),
            sum(kind_entry.widgets_certain)::bigint,
            sum(kind_entry.widgets_possible)::bigint,
            sum(kind_entry.widgets_reported)::bigint
        from census.kind_entry
        where kind_entry.app_number = app.app_number
            and kind_entry.day <= (now() at time zone app.zone)::date
        group by
            kind_entry.surface,
            kind_entry.kind
        union all
        select
            unsettled.surface,
            unsettled.kind,
            0,
            0,
            unsettled.devices * coalesce(known.share, 0.5),
            0,
            0,
            0
        from (
            select
                kind_day_unsettled.surface,
                kind_day_unsettled.kind,
                kind_day_unsettled.platform,
                kind_day_unsettled.os_version,
                kind_day_unsettled.claim_rule,
                kind_day_unsettled.devices
            from census.kind_day_unsettled
            where kind_day_unsettled.app_number = app.app_number
                and kind_day_unsettled.day = (
                    select max(day) from census.closed_day where closed_day.app_number = app.app_number)
            union all
            select
                kind_unsettled_entry.surface,
                kind_unsettled_entry.kind,
                kind_unsettled_entry.platform,
                kind_unsettled_entry.os_version,
                kind_unsettled_entry.claim_rule,
                sum(kind_unsettled_entry.devices)::bigint
            from census.kind_unsettled_entry
            where kind_unsettled_entry.app_number = app.app_number
                and kind_unsettled_entry.day <= (now() at time zone app.zone)::date
            group by
                kind_unsettled_entry.surface,
                kind_unsettled_entry.kind,
                kind_unsettled_entry.platform,
                kind_unsettled_entry.os_version,
                kind_unsettled_entry.claim_rule
        ) as unsettled
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
    ) as part
    group by
        part.surface,
        part.kind
) as counted
left join census.reconciled
    on reconciled.app_number = app.app_number
where counted.devices_possible <> 0
    or counted.widgets_reported <> 0;

comment on view report.live_now is 'How many devices have each widget kind now, as of the last reconciled event.';
comment on column report.live_now.app_id is 'Bundle id or package name.';
comment on column report.live_now.surface is 'widget, control, live_activity or today.';
comment on column report.live_now.kind is 'The widget''s kind.';
comment on column report.live_now.devices_certain is 'At least this many devices have it (lower bound).';
comment on column report.live_now.devices_possible is 'At most this many devices have it (upper bound).';
comment on column report.live_now.devices_expected is 'Best estimate between the bounds, as in live_kinds; the shares are those of the last night.';
comment on column report.live_now.widgets_certain is 'Certain placements.';
comment on column report.live_now.widgets_possible is 'Certain or possible placements.';
comment on column report.live_now.widgets_reported is 'Placements that the OS lists: the naive number.';
comment on column report.live_now.as_of is 'Time of the app''s last reconciled event.';
