-- Counts days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares
-- {table} with it.
-- Answers at most five cells a day in which the two differ, with the numbers of both in the order of the columns.
select
    asked.day,
    differing.cell,
    differing.ledger,
    differing.counted
from unnest($2::date[], $3::timestamptz[]) as asked (day, ends_at)
cross join lateral (
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
                and day = asked.day
            union all
            select
                {each cells: @},
                {each amounts: @}
            from census.{entries}
            where app_number = $1
                and day <= asked.day
        ) as entered
        group by
            {each cells: @}
    ),
    {include compared}
) as differing
order by asked.day
