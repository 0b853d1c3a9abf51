-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of change_day.
copy census.change_entry (
    app_number, day, surface, kind, family, cause, widgets_added, widgets_removed
) from stdin (format binary)
