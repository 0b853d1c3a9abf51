-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of install_day.
copy census.install_entry (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported
) from stdin (format binary)
