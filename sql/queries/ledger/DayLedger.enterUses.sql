-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of use_day.
copy census.use_entry (
    app_number, day, surface, kind, use, devices, events
) from stdin (format binary)
