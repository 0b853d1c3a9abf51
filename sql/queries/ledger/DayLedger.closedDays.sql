-- The closed days of app $1 since $2, or all of them.
select day
from census.closed_day
where app_number = $1
    and ($2::date is null or day >= $2)
order by day
