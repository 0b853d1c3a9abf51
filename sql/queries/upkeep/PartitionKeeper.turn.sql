-- One transaction at a time makes or drops a partition: both lock the table and `observation_other`, in different orders.
select pg_advisory_xact_lock(hashtextextended('widget-census partitions', 0))
