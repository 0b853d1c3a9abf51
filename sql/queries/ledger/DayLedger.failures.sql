-- For how many apps the last attempt to close their days failed, by fault.
select
    fault,
    count(*) as apps
from census.app_night
where fault is not null
group by fault
