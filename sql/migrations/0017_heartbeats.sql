-- A known device that reports what it reported before changes its row, and adds a day to a month, without writing an index: there is
-- room on the page for the row's new version.

alter table census.device set (fillfactor = 80);
alter table census.device_use set (fillfactor = 80);
comment on column census.device.due_at is 'When to look again at what time alone changes (silent_at, reporting_until), at the latest when it does; what lies before is entered, null: all of it.';
comment on column census.device_use.events is 'How many events there were on each of the days; of heard only that there were some.';
