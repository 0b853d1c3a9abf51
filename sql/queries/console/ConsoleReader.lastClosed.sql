-- The last closed day of app $1; null while none is closed.
select max(day) as day
from census.closed_day
where app_number = $1
