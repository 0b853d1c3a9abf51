-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of device_day.
copy census.device_entry (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_reporting, devices_cloned
) from stdin (format binary)
