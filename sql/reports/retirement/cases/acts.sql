-- `kept` was reopened, `old` is legacy, `oldest` retired. The phone lost all of them.
insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, acted_at, devices_certain, devices_possible, replaced_by)
select
    app_number,
    'widget',
    acts.kind,
    acts.lifecycle,
    'tester',
    acts.acted_at,
    0,
    0,
    acts.replaced_by
from census.app
cross join (
    values
        ('kept', 'legacy', timestamptz '2026-03-02 12:00+00', null),
        ('old', 'legacy', '2026-03-02 12:00+00', 'new'),
        ('oldest', 'legacy', '2026-03-02 12:00+00', null),
        ('oldest', 'retired', '2026-03-05 12:00+00', null),
        ('kept', 'active', '2026-03-06 12:00+00', null)
) as acts (kind, lifecycle, acted_at, replaced_by);
