-- The days of app $1 that are neither closed nor open: a day between closed ones must be closed, and only closed days
-- have numbers.
-- Returns at most five days of each table, with how many rows it has, and how many it should have.
with
{include missing_days}
(
    select
        'closed_day' as table_name,
        day,
        'a day between closed ones' as cell,
        '0' as ledger,
        '1' as counted
    from missing
    order by day
    limit 5
)
{for tables}
union all
(
    select
        '{table}',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.{table}
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
{end}
