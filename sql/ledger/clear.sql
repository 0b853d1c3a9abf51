-- Empties the ledger of app $1: levels, flows and net changes. What was first known about a closed day stays, and so do
-- reads, which only the log knows.
with
not_closed as (
    delete from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
),
{for tables}
{entries}_rows as (
    delete from census.{entries}
    where app_number = $1
),
{end}
{for other tables}
{table}_rows as (
    delete from census.{table}
    where app_number = $1
)
{between}
,
{end}
update census.kind_day set
    {each Kinds.amounts: @ = 0}
where app_number = $1
    and day in (select closed_day.day from census.closed_day where app_number = $1)
