-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of kind_day of app $1 since day $2 in which nothing is left.
-- Zeros stay where something was first known.
delete from census.kind_day
where app_number = $1
    and day >= $2
    and devices_possible = 0
    and devices_silent = 0
    and widgets_reported = 0
    and devices_certain_first_known = 0
    and devices_possible_first_known = 0
