-- The check of the ledger counts with the program's own code: docs/decisions/0016-ledger.md.
drop view if exists census.counted_phase;
drop view if exists census.counted_span;
