-- Stored states say how they are to be read (docs/decisions/0013-checkpoints.md).

-- Under another name: a program from before this would not know the new bytes, take them for none, and fold the device from
-- nothing. So it fails, and leaves the base as it is.
alter table census.device_base
    rename column checkpoint to state;
comment on column census.device_base.state is 'The fold''s state then, of any format and under any rules: evidence that is never written again from nothing.';
comment on column census.device.checkpoint is 'The fold''s state after the last reconciled observation; null, or written under other rules: the device is folded again, onto its base.';
comment on table census.set_aside is 'Device. Devices whose history could not be reconciled: their numbers stand as they were, and what they need is kept. The next observation has them tried again.';
