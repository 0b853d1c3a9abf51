-- Until when the events that queued a device happened, as sent. The reconciler need not look for them in the partitions of the
-- days ahead, which are nearly always empty.

alter table census.pending_device add column occurred_through timestamptz;
comment on column census.pending_device.occurred_through is
    'Their latest time as sent: newer partitions need not be read; null: read all.';
