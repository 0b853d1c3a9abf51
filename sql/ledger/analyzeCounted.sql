-- Analyzes all tables that a check reads: without statistics they pass for empty, and are joined row by row.
-- Autovacuum may not have reached them yet, as after a dump was restored. Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.device,
    census.device_use,
    census.phase,
    census.span,
{for tables}
    census.{table}
{between}
,
{end}
