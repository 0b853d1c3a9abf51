-- How many events told of placed and removed widgets, because tools that count events count these
-- (docs/decisions/0070-shadow.md).
--
-- The next night folds each device from its first observation that is kept: these events were not counted before.

alter table census.device_use drop constraint device_use_is_known;
alter table census.device_use add constraint device_use_is_known check (
    use in ('heard', 'opened', 'configured', 'rendered', 'installed', 'removed'));
comment on column census.device_use.use is 'heard (any event came), opened, configured, rendered, installed or removed.';
comment on column census.use_day.use is 'opened, configured or rendered; installed or removed: not a use.';
comment on column census.use_entry.use is 'opened, configured or rendered; installed or removed: not a use.';

insert into census.pending_device (app_number, device_id)
select
    app_number,
    device_id
from census.device
where folded_through is not null;
