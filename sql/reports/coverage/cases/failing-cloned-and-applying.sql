-- Policy 1 was made on the second day. Phone 2 names one that was never made.
insert into census.kind_act (app_number, surface, kind, lifecycle, actor, acted_at, devices_certain, devices_possible)
select
    app_number,
    'widget',
    'weather',
    'legacy',
    'tester',
    '2026-03-02 12:00+00',
    0,
    0
from census.app;
