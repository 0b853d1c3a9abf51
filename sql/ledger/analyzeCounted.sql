-- Analyzes all tables that a check reads: without statistics they pass for empty, and are joined row by row.
-- Autovacuum may not have reached them yet, as after a dump was restored, and never reaches those with a few rows.
-- Does not wait for a vacuum of one of them.
analyze (skip_locked)
    census.app,
    census.closed_day,
    census.device,
    census.device_use,
    census.kind_act,
    census.loss_detail,
    census.loss_origin,
    census.loss_watch,
    census.manifest,
    census.manifest_kind,
    census.phase,
    census.read_entry,
    census.read_quarter,
    census.readiness,
    census.reconciled,
    census.refused,
    census.span,
    census.warned,
{for tables}
    census.{table},
    census.{entries}
{between}
,
{end}
