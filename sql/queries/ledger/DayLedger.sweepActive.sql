-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of active_day of app $1 since day $2 in which nothing is left.
delete from census.active_day
where app_number = $1
    and day >= $2
    and devices_in_window = 0
