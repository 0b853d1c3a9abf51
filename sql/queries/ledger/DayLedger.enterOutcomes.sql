-- Made by scripts/generate-sql from sql/ledger/enter.sql and tables.toml: edit those.
-- Adds net changes of outcome_day.
copy census.outcome_entry (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds
) from stdin (format binary)
