-- Claims about refused that hold on any database, besides those made from its grain; found: violations.
-- Harm: update census.refused set message = ''
select
    'fail' as severity,
    'every row has events and an example' as claim,
    count(*) as found
from report.refused
where events < 1
    or coalesce(example, '') = ''
union all
-- Harm: update census.refused set code = 'disliked' where code = 'too_old'
select
    'fail' as severity,
    'docs/reference/contract.md names every code' as claim,
    count(*) as found
from report.refused
where code not in (
    'invalid_id', 'invalid_time', 'too_old', 'in_future', 'unknown_type', 'invalid_widget', 'invalid_report',
    'too_long', 'too_many_kinds')
union all
-- Harm: update census.refused set received_at = '2001-01-01T00:00:00Z'
select
    'fail' as severity,
    'the day is that of receipt, in UTC' as claim,
    count(*) as found
from census.refused
where refused_on <> (received_at at time zone 'UTC')::date
union all
-- Harm: insert into census.refused (device_id, refused_on, digest, app_number, received_at, code, message, event)
--   select md5(number::text)::uuid, refused_on, '', app_number, received_at, code, message, event
--   from (select * from census.refused where code = 'unknown_type' limit 1) as one cross join generate_series(1, 1001) as number
select
    'warn' as severity,
    'at most 1000 events a day are refused as unknown or invalid' as claim,
    count(*) as found
from (
    select
        app_id,
        day
    from report.refused
    where code not in ('too_old', 'in_future')
    group by
        app_id,
        day
    having sum(events) > 1000
) as broken
