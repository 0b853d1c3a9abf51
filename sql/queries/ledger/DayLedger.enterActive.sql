-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of active_day.
copy census.active_entry (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window
) from stdin (format binary)
