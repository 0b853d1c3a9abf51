-- Made by scripts/generate-sql from sql/ledger/missingDays.sql and tables.toml: edit those.
-- The days of app $1 that a recount has to close.
with
-- The days between the first closed day of app $1 and its last that are not closed.
missing as (
    select day::date as day
    from (
        select generate_series(min(day), max(day), interval '1 day') as day
        from census.closed_day
        where app_number = $1
    ) as spanned
    where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
)
select day
from missing
order by day
