-- The net changes of app $1 up to day $2, taken from the queue.
taken as (
    delete from census.{entries}
    where app_number = $1
        and day <= $2
    returning
        day,
{if hash}
        {hash},
{end}
        {each cells: @},
        {each amounts: @}
),
net as (
    select
        day,
        {each key: @},
        {each amounts: sum(@)::bigint as @}
    from taken
    group by
        day,
        {each key: @}
)
