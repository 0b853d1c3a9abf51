-- No device is folded meanwhile: a change to how devices are counted then sees, and queues, every device.
select pg_advisory_xact_lock(hashtextextended('widget-census settings', 0))
