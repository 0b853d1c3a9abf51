-- The days of app $1 as hashes: one row for each cell of kind_day, and one for each day of each other table.
-- Leaves out what was first known, and reads.
select
    day,
    true as is_kind,
    hashtextextended(length(surface) || ' ' || surface || kind, 0) as cell,
    hashtextextended(
        row(
            {list Kinds.amounts})::text, 0) as numbers
from census.kind_day
where app_number = $1
    -- Zeros stay where something was first known, and say nothing.
    and (
        {any Kinds.amounts: @ <> 0}
    )
{for other tables}
union all
select
    day,
    false,
    {position},
    bit_xor(hashtextextended({table}::text, 0))
from census.{table}
where app_number = $1
group by day
{end}
