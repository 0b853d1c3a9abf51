-- Events of the apps $1 that the door refused on the days $2, counted up to $3 in all.
select
    app_number,
    count(*) as events
from (
    select app_number
    from census.refused
    where app_number = any($1::integer[])
        and refused_on = any($2::date[])
    limit $3
) as counted
group by app_number
