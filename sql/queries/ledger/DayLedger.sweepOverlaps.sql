-- Made by scripts/generate-sql from sql/ledger/sweep.sql and tables.toml: edit those.
-- Deletes the rows of overlap_day of app $1 since day $2 in which nothing is left.
delete from census.overlap_day
where app_number = $1
    and day >= $2
    and devices = 0
