-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of holder_day.
copy census.holder_entry (
    app_number, day, surface, kind, cause, devices_added, devices_removed
) from stdin (format binary)
