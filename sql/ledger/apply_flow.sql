-- Takes the net changes of app $1 up to day $2 from the queue and adds them to {table}.
-- Returns the days that changed, one row per cell.
with
{include taken}
insert into census.{table} (
    {list app_number day cells amounts})
select
    $1,
    net.day,
    {each cells: net.@},
    {each amounts: coalesce({table}.@, 0) + net.@}
from net
left join census.{table}
    on {table}.app_number = $1
    and {table}.day = net.day
    and {all cells: {table}.@ = net.@}
where {any amounts: net.@ <> 0}
on conflict ({list app_number day key}) do update set
    {each amounts: @ = excluded.@}
returning {table}.day
