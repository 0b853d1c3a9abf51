-- overlap: how many devices with a legacy kind also have another kind, day by day.
--
-- Grain    one row per (app_id, day, surface, kind, other_kind); closed days only
-- Units    distinct devices that certainly had both when the day ended
-- Reads    overlap_day, kind_day
-- Caveat   pairs where one kind is, or was, marked legacy, each in both orders; no row means that no device had both
-- Read by  dashboards (decision); `widget-census report overlap`
-- Empty    no device has another kind next to one that was ever marked legacy, or no night has run since one was marked
-- Budget   150..1400 blocks
create or replace view report.overlap as
select
    app.app_id,
    pair.day,
    pair.surface,
    pair.kind,
    pair.other_kind,
    pair.devices as devices_with_both,
    kind_day.devices_certain as devices_with_kind
from census.app
cross join lateral (
    select
        day,
        surface,
        kind,
        other_kind,
        devices
    from census.overlap_day
    where app_number = app.app_number
    union all
    select
        day,
        surface,
        other_kind,
        kind,
        devices
    from census.overlap_day
    where app_number = app.app_number
) as pair
join census.kind_day
    on kind_day.app_number = app.app_number
    and kind_day.day = pair.day
    and kind_day.surface = pair.surface
    and kind_day.kind = pair.kind
where pair.devices > 0;

comment on view report.overlap is 'How many devices with a legacy kind also have another kind, day by day.';
comment on column report.overlap.app_id is 'Bundle id or package name.';
comment on column report.overlap.day is 'Day in the app''s time zone.';
comment on column report.overlap.surface is 'widget, control, live_activity or today.';
comment on column report.overlap.kind is 'One kind of the pair; at least one of the two is, or was, marked legacy.';
comment on column report.overlap.other_kind is 'The other kind, on the same surface.';
comment on column report.overlap.devices_with_both is 'Devices that certainly had both when the day ended.';
comment on column report.overlap.devices_with_kind is 'Devices that certainly had kind, as in live_kinds.';
