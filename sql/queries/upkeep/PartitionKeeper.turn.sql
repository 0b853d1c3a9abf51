-- One at a time makes or drops a partition: both lock the table and `observation_other`, and not in the same order.
select pg_advisory_xact_lock(hashtextextended('widget-census partitions', 0))
