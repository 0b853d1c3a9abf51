-- On Citus the queue lies beside what it queues: on another node its entries would be seen before the observations that they
-- were committed with.

comment on table census.pending_device is 'Device, queue. Devices with observations that the reconciler has not seen; written in the transaction of the observations, so that one committed late is never skipped.';
