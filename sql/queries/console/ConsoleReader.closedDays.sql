-- The days of app $1 that are closed, since $2: nothing is known about any other day.
select day
from census.closed_day
where app_number = $1
    and day >= $2
order by day
