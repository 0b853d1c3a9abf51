-- No partition is made or dropped until the transaction ends: rows move between partitions then, and a statement planned
-- before would look for them in the old one.
select pg_advisory_xact_lock_shared(hashtextextended('widget-census partitions', 0))
