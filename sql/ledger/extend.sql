-- Begins the new days $3 of app $1 with what {table} held at the end of the day $2 before them.
insert into census.{table} (
    {list app_number day cells amounts kept})
select
    $1,
    listed.day,
    {each cells: {table}.@},
    {each amounts: {table}.@},
    {each first_known: {table}.@}
from census.{table}
cross join unnest($3::date[]) as listed (day)
where {table}.app_number = $1
    and {table}.day = $2
{if first_known}
    -- Rows of zeros stay where something was first known; the days after need none.
    and (
        {any holds: {table}.@ <> 0}
    )
{end}
