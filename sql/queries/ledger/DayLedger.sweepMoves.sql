-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of move_day of app $1 since day $2 in which nothing is left.
delete from census.move_day
where app_number = $1
    and day >= $2
    and widgets_added = 0
    and widgets_removed = 0
    and devices_added = 0
    and devices_removed = 0
