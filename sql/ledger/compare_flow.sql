-- Counts all closed days of app $1 straight from the spans, and compares {table} with them.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
{include counted/{subject}},
ledger as (
    select
        day,
        {each cells: @},
        {each amounts: sum(@) as @}
    from (
        select
            day,
            {each cells: @},
            {each amounts: @}
        from census.{table}
        where app_number = $1
        union all
        select
            day,
            {each cells: @},
            {each amounts: @}
        from census.{entries}
        where app_number = $1
    ) as entered
    where day in (select day from census.closed_day where app_number = $1)
    group by
        day,
        {each cells: @}
),
{include compared}
