-- One transaction at a time makes or drops a partition: both lock the table and `observation_other`, in different orders.
lock table census.partitions_lock in exclusive mode
