-- Until the transaction ends no partition is made or dropped: rows move from one to another then, and a statement that
-- was planned before would look for them where they were.
select pg_advisory_xact_lock_shared(hashtextextended('widget-census partitions', 0))
