-- Marks the days $2 of app $1 as closed.
insert into census.closed_day (app_number, day)
select
    $1,
    listed.day
from unnest($2::date[]) as listed (day)
