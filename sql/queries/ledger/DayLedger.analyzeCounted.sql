-- So that the tables that everything is counted from are not taken for empty ones: autovacuum may not have come to them yet.
analyze
    census.device,
    census.device_use,
    census.phase,
    census.span
