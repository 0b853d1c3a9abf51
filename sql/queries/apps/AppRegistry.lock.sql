-- No device is folded meanwhile: a change to how devices are counted then sees, and queues, every device.
lock table census.settings_lock in exclusive mode
