-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of change_day of app $1 since day $2 in which nothing is left.
delete from census.change_day
where app_number = $1
    and day >= $2
    and widgets_added = 0
    and widgets_removed = 0
