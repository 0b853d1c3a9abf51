-- pairs: which kinds people have side by side, day by day.
--
-- Grain    one row per (app_id, day, surface, kind, other_kind); closed days only
-- Units    distinct devices that certainly had both when the day ended
-- Reads    kind_pair
-- Caveat   the 50 kinds of a surface with the most devices among those in a pair that day, each pair in both orders; no row means
--          that no device had both. A device with more than 30 kinds of the surface is left out
-- Read by  `widget-census report pairs`
-- Order    app_id, day, surface, kind, devices_with_both desc, other_kind
-- Empty    no device had two kinds of a surface on a closed day; `widget-census nightly` closes days
-- Budget   806..3224 blocks
create or replace view report.pairs as
select
    app.app_id,
    ranked.day,
    ranked.surface,
    ranked.kind,
    ranked.other_kind,
    ranked.devices as devices_with_both,
    ranked.devices_with_kind
from census.app
cross join lateral (
    select
        day,
        surface,
        kind,
        other_kind,
        devices,
        devices_with_kind,
        dense_rank() over (
            partition by
                day,
                surface
            order by
                devices_with_kind desc,
                kind) as place,
        dense_rank() over (
            partition by
                day,
                surface
            order by
                devices_with_other desc nulls last,
                other_kind) as other_place
    from census.kind_pair
    where app_number = app.app_number
) as ranked
where ranked.place <= 50
    and ranked.other_place <= 50;

comment on view report.pairs is 'Which kinds people have side by side, day by day.';
comment on column report.pairs.app_id is 'Bundle id or package name.';
comment on column report.pairs.day is 'Day in the app''s time zone.';
comment on column report.pairs.surface is 'widget, control, live_activity or today.';
comment on column report.pairs.kind is 'One kind of the pair, among the 50 paired kinds of its surface that most devices had.';
comment on column report.pairs.other_kind is 'The other kind, also among these 50.';
comment on column report.pairs.devices_with_both is 'Devices that certainly had both when the day ended.';
comment on column report.pairs.devices_with_kind is 'Devices that certainly had kind, as in live_kinds.';
