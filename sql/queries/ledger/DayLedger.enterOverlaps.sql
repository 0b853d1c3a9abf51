-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of overlap_day.
copy census.overlap_entry (
    app_number, day, surface, kind, other_kind, devices
) from stdin (format binary)
