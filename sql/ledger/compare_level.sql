-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- {table}.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
{include counted/{subject}},
ledger as (
    select
        {each cells: @},
        {each amounts: sum(@) as @}
    from (
        select
            {each cells: @},
            {each amounts: @}
        from census.{table}
        where app_number = $1
            and day = $2::date
        union all
        select
            {each cells: @},
            {each amounts: @}
        from census.{entries}
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        {each cells: @}
),
{include compared}
