-- Makes levels of the net changes of {table}: those of app $1 up to day $2 are taken, and every closed
-- day from the first of them on is more or less by their running sum.
{if first_known}
-- On the days $3, which are closed for the first time, the result is also the number first known.
{end}
-- Returns the days that changed, one row per cell.
with
{include taken},
touched as (
{if hash}
    select distinct on ({hash})
        {hash},
        {each cells: @},
        day as first_day
    from taken
    order by
        {hash},
        day
{else}
    select
        {each cells: @},
        min(day) as first_day
    from net
    group by
        {each cells: @}
{end}
),
running as (
    select
        closed_day.day,
        {each key: touched.@},
        {each amounts: (sum(net.@) over so_far)::bigint as @}
    from touched
    join census.closed_day
        on closed_day.app_number = $1
        and closed_day.day >= touched.first_day
    left join net
        on net.day = closed_day.day
        and {all key: net.@ = touched.@}
    window so_far as (
        partition by
            {each key: touched.@}
        order by closed_day.day)
),
restated as (
    select
        running.day,
{if hash}
        {each cells: touched.@},
{else}
        {each cells: running.@},
{end}
        {each amounts: coalesce({table}.@, 0) + running.@ as @},
        {each kept: {table}.@}
    from running
{if hash}
    join touched
        on {all key: touched.@ = running.@}
{end}
    left join census.{table}
        on {table}.app_number = $1
        and {table}.day = running.day
        and {all key: {table}.@ = running.@}
    where {any amounts: running.@ <> 0}
)
insert into census.{table} (
    {list app_number day cells amounts kept})
select
    $1,
    day,
    {each cells: @},
    {each amounts: @},
    {each first_known: case when day = any($3::date[]) then @ else coalesce(@_first_known, 0) end}
from restated
on conflict ({list app_number day key}) do update set
    {each amounts: @ = excluded.@},
    {each kept: @ = excluded.@}
returning {table}.day
