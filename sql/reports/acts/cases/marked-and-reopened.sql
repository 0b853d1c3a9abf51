-- `weather` was marked, with a replacement and a reason, and reopened.
alter table census.kind_act alter column act_number restart with 7;
insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, acted_at, devices_certain, devices_possible, replaced_by, reason)
select
    app_number,
    'widget',
    'weather',
    acts.lifecycle,
    'tester',
    acts.acted_at,
    2,
    3,
    acts.replaced_by,
    acts.reason
from census.app
cross join (
    values
        ('legacy', timestamptz '2026-03-02 12:00+00', 'forecast', 'the new one shows more'),
        ('active', '2026-03-03 09:30+00', null, null)
) as acts (lifecycle, acted_at, replaced_by, reason);
