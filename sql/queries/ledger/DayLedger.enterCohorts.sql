-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of cohort_day.
copy census.cohort_entry (
    app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible
) from stdin (format binary)
