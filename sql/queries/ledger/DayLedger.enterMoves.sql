-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of move_day.
copy census.move_entry (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed
) from stdin (format binary)
