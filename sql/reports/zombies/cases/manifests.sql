-- 1.0 declares both kinds, 2.0 only `new`; 3.0 has no manifest.
insert into census.manifest (app_number, app_version, added_by, digest, source)
select
    app_number,
    version,
    'tester',
    '',
    ''
from census.app
cross join unnest(array['1.0', '2.0']) as version;
insert into census.manifest_kind (app_number, app_version, surface, kind, migrates_from)
select
    app_number,
    declared.version,
    'widget',
    declared.kind,
    '{}'
from census.app
cross join (
    values
        ('1.0', 'new'),
        ('1.0', 'old'),
        ('2.0', 'new')
) as declared (version, kind);
