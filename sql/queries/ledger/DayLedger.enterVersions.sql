-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of version_day.
copy census.version_entry (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible
) from stdin (format binary)
