-- How many cells (day, kind) the days $2 of app $1 have.
select count(*) as cells
from census.kind_day
where app_number = $1
    and day = any($2::date[])
