-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of kind_day.
copy census.kind_entry (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, devices_reported,
    devices_silent, widgets_certain, widgets_possible, widgets_reported, widgets_suspect, widgets_gone,
    widgets_still_there
) from stdin (format binary)
