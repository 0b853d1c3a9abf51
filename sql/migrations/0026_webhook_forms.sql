-- Webhooks in Slack's form, links to the console, and messages about incidents that go on, kinds that become ready, and nights
-- that fail.

alter table census.webhook
    add column form text not null default 'standard',
    add column console_url text,
    add column night_failed_at timestamptz,
    add constraint webhook_form_is_known check (form in ('standard', 'slack'));
comment on table census.webhook is 'Local. The receivers of messages about an app. When a webhook is removed, its row stays without address and secret.';
comment on column census.webhook.form is 'standard: as docs/reference/webhook.schema.json says; slack: a text for people.';
comment on column census.webhook.console_url is 'Where receivers reach the console; null: messages have no link.';
comment on column census.webhook.night_failed_at is 'When it was told that a night failed; null: the last night that it was told of did not fail.';
comment on column census.webhook_delivery.type is 'The message''s type, such as mass_loss.opened: see docs/guides/webhooks.md.';

alter table census.loss_watch
    add column told_lost bigint not null default 0,
    add column ended_on date;
update census.loss_watch set told_lost = lost
where state <> 'watched';
comment on column census.loss_watch.told_lost is 'The lost devices in the last message to webhooks.';
comment on column census.loss_watch.ended_on is 'Day on which the incident could grow no further; null: it can, or there is no incident.';
