-- Claims about warned that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.warned set message = ''
select
    'fail' as severity,
    'every row has devices and an example' as claim,
    count(*) as found
from report.warned
where devices < 1
    or coalesce(example, '') = ''
union all
-- Harm: update census.warned set code = 'disliked' where code = 'os_version'
select
    'fail' as severity,
    'docs/reference/contract.md names every code' as claim,
    count(*) as found
from report.warned
where code not in (
    'unknown_field', 'misplaced_field', 'shared_device', 'os_version', 'family', 'future_time', 'same_instant', 'same_id',
    'boot_time', 'channel', 'other_family')
union all
-- Harm: update census.warned set received_at = '2001-01-01T00:00:00Z'
select
    'fail' as severity,
    'the day is that of receipt, in UTC' as claim,
    count(*) as found
from census.warned
where warned_on <> (received_at at time zone 'UTC')::date
