-- The closed days of app $1.
select day
from census.closed_day
where app_number = $1
order by day
