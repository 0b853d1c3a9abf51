-- Events of app $1 that the door refused on the days $2, counted up to $3.
select count(*) as events
from (
    select 1
    from census.refused
    where app_number = $1
        and refused_on = any($2::date[])
    limit $3
) as counted
