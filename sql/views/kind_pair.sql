-- kind_pair: devices that certainly had two kinds of a surface when a day ended, each pair in both orders.
--
-- Grain    one row per (app_number, day, surface, kind, other_kind) with a device
-- Units    distinct devices
-- Reads    overlap_day, kind_day
-- Caveat   a device with more than 30 kinds of the surface is left out
-- Read by  overlap, pairs
create or replace view census.kind_pair as
select
    overlap_day.app_number,
    overlap_day.day,
    overlap_day.surface,
    pair.kind,
    pair.other_kind,
    overlap_day.devices,
    pair.devices_with_kind,
    pair.devices_with_other
from census.overlap_day
left join census.kind_day as first
    on first.app_number = overlap_day.app_number
    and first.day = overlap_day.day
    and first.surface = overlap_day.surface
    and first.kind = overlap_day.kind
left join census.kind_day as second
    on second.app_number = overlap_day.app_number
    and second.day = overlap_day.day
    and second.surface = overlap_day.surface
    and second.kind = overlap_day.other_kind
-- Not a union, into which a join with the app would not be pushed.
cross join lateral (
    values
        (overlap_day.kind, first.devices_certain, overlap_day.other_kind, second.devices_certain),
        (overlap_day.other_kind, second.devices_certain, overlap_day.kind, first.devices_certain)
) as pair (kind, devices_with_kind, other_kind, devices_with_other)
where overlap_day.devices > 0
    and pair.devices_with_kind is not null;

comment on view census.kind_pair is 'Devices that certainly had two kinds of a surface when a day ended, each pair in both orders.';
comment on column census.kind_pair.app_number is 'The app.';
comment on column census.kind_pair.day is 'Day in the app''s time zone.';
comment on column census.kind_pair.surface is 'widget, control, live_activity or today.';
comment on column census.kind_pair.kind is 'One kind of the pair.';
comment on column census.kind_pair.other_kind is 'The other kind.';
comment on column census.kind_pair.devices is 'Devices that certainly had both.';
comment on column census.kind_pair.devices_with_kind is 'Devices that certainly had kind.';
comment on column census.kind_pair.devices_with_other is 'Devices that certainly had other_kind; null: unknown.';
