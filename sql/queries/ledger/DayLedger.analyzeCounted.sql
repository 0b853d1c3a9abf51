-- Made by scripts/generate-sql from sql/ledger/analyzeCounted.sql and tables.toml: edit those.
-- Analyzes all tables that a check reads: without statistics they pass for empty, and are joined row by row.
-- Autovacuum may not have reached them yet, as after a dump was restored. Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.device,
    census.device_use,
    census.phase,
    census.span,
    census.kind_day,
    census.kind_day_unsettled,
    census.version_day,
    census.install_day,
    census.device_day,
    census.change_day,
    census.move_day,
    census.outcome_day,
    census.active_day,
    census.overlap_day,
    census.use_day,
    census.cohort_day
