-- No row before a day is closed.
select day
from census.closed_day
where app_number = $1
order by day desc
limit 1
