-- overlap: how many devices with a legacy kind also have another kind, day by day.
--
-- Grain    one row per (app_id, day, surface, kind, other_kind); closed days only
-- Units    distinct devices that certainly had both when the day ended
-- Reads    kind_pair, kind_act
-- Caveat   pairs where one kind is, or was, marked legacy, each in both orders; no row means that no device had both. A device
--          with more than 30 kinds of the surface is left out
-- Read by  dashboards (decision); `widget-census report overlap`
-- Empty    no device has another kind next to one that was ever marked legacy
-- Budget   805..3222 blocks
create or replace view report.overlap as
select
    app.app_id,
    pair.day,
    pair.surface,
    pair.kind,
    pair.other_kind,
    pair.devices as devices_with_both,
    pair.devices_with_kind
from census.app
join census.kind_pair as pair
    on pair.app_number = app.app_number
-- Not by app, so that each subquery is hashed once.
where (app.app_number, pair.surface, pair.kind) in (
        select
            kind_act.app_number,
            kind_act.surface,
            kind_act.kind
        from census.kind_act
        where kind_act.lifecycle <> 'active')
    or (app.app_number, pair.surface, pair.other_kind) in (
        select
            kind_act.app_number,
            kind_act.surface,
            kind_act.kind
        from census.kind_act
        where kind_act.lifecycle <> 'active');

comment on view report.overlap is 'How many devices with a legacy kind also have another kind, day by day.';
comment on column report.overlap.app_id is 'Bundle id or package name.';
comment on column report.overlap.day is 'Day in the app''s time zone.';
comment on column report.overlap.surface is 'widget, control, live_activity or today.';
comment on column report.overlap.kind is 'One kind of the pair; at least one of the two is, or was, marked legacy.';
comment on column report.overlap.other_kind is 'The other kind, on the same surface.';
comment on column report.overlap.devices_with_both is 'Devices that certainly had both when the day ended.';
comment on column report.overlap.devices_with_kind is 'Devices that certainly had kind, as in live_kinds.';
