-- No partition is made or dropped until the transaction ends: rows move between partitions then, and a statement planned
-- before would look for them in the old one.
lock table census.partitions_lock in row share mode
