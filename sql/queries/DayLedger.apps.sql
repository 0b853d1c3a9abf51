-- The apps with their zone and the last day that has ended there.
select
    app_number,
    app_id,
    zone,
    (now() at time zone zone)::date - 1 as last_ended_day
from census.app
where $1::text is null
    or app_id = $1
order by app_id
