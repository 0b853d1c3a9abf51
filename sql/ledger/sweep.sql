-- Deletes the rows of {table} of app $1 since day $2 in which nothing is left.
{if first_known}
-- Zeros stay where something was first known.
{end}
delete from census.{table}
where app_number = $1
    and day >= $2
    and {all holds: @ = 0}
    and {all kept: @ = 0}
