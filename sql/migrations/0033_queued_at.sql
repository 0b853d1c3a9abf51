-- Since when a device waits for the reconciler. An event's own time doesn't say that, because phones send late.

alter table census.pending_device add column queued_at timestamptz not null default now();
comment on column census.pending_device.queued_at is
    'When the device was queued; if a step put it back, when it was queued first.';
