-- How many apps' days could not be closed when that was last tried, by whose fault it was.
select
    fault,
    count(*) as apps
from census.app_night
where fault is not null
group by fault
