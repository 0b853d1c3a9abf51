-- Made by scripts/generate-sql from sql/ledger/analyze.sql and tables.toml: edit those.
-- Tells the planner how much the last night and the reconcilers left: it assumes that a table that was empty
-- still is, and a night of seconds then took a minute. Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.kind_entry,
    census.kind_unsettled_entry,
    census.version_entry,
    census.install_entry,
    census.device_entry,
    census.change_entry,
    census.move_entry,
    census.outcome_entry,
    census.active_entry,
    census.overlap_entry,
    census.use_entry,
    census.cohort_entry
