-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of use_day of app $1 since day $2 in which nothing is left.
delete from census.use_day
where app_number = $1
    and day >= $2
    and events = 0
