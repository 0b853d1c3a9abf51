-- Whether a device had restarted since the app's first launch, as the app says it: iOS apps may not send the time of the boot
-- (docs/decisions/0012-suspect-and-presumed.md).

alter table census.observation add column rebooted boolean;
comment on column census.observation.rebooted is 'Whether the device had restarted since the app''s first launch in this installation; null when not sent.';
