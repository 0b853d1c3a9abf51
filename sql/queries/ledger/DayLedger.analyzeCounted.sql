-- Analyzes the tables that everything is counted from, or they may pass for empty: autovacuum may not have reached them yet.
analyze
    census.device,
    census.device_use,
    census.phase,
    census.span
