-- Until when the list of each surface counts as known. A list of controls says nothing about widgets.

alter table census.device
    add column widgets_until timestamptz,
    add column controls_until timestamptz,
    add column activities_until timestamptz;
comment on column census.device.widgets_until is 'When its newest successful list of widgets, in this installation, is older than the activity window; null: it sent none.';
comment on column census.device.controls_until is 'The same for controls.';
comment on column census.device.activities_until is 'The same for live activities.';

-- Devices that were folded know it only once they are folded again.
insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
where folded_through is not null;
