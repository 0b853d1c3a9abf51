-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of kind_day_unsettled.
copy census.kind_unsettled_entry (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices
) from stdin (format binary)
