-- Whom to tell of mass losses, and what still has to be told (docs/decisions/0040-webhooks.md).

create table census.webhook (
    webhook_number bigint generated always as identity primary key,
    app_number integer not null references census.app,
    url text,
    secret bytea,
    allows_private boolean not null,
    added_at timestamptz not null default now(),
    added_by text not null,
    delivered_at timestamptz,
    failing_since timestamptz,
    last_status integer,
    last_error text,
    gone_at timestamptz,
    removed_at timestamptz,
    removed_by text,
    constraint webhook_forgets_when_removed check (
        (url is null) = (removed_at is not null)
        and (secret is null) = (removed_at is not null)
        and (removed_by is null) = (removed_at is null))
);
create index webhook_app on census.webhook (app_number);
comment on table census.webhook is 'Local. The addresses that are told of mass losses. A row stays when its webhook is removed, without address and secret.';
comment on column census.webhook.webhook_number is 'Names it on the command line; no order.';
comment on column census.webhook.app_number is 'The app.';
comment on column census.webhook.url is 'Where messages are posted to; may hold a secret of the receiver''s. Null once removed.';
comment on column census.webhook.secret is 'The key under which messages are signed. Null once removed.';
comment on column census.webhook.allows_private is 'Whether it may lead into a private network.';
comment on column census.webhook.added_at is 'When it was added.';
comment on column census.webhook.added_by is 'Who added it.';
comment on column census.webhook.delivered_at is 'When it last took a message; null: never.';
comment on column census.webhook.failing_since is 'The first failure since then; null: the last attempt succeeded, or there was none.';
comment on column census.webhook.last_status is 'The status of its last answer; null: the last attempt got none.';
comment on column census.webhook.last_error is 'Why the last attempt failed, without address and message; null: it did not.';
comment on column census.webhook.gone_at is 'When it answered 410 Gone. Until a test succeeds it is told nothing more; null: it did not.';
comment on column census.webhook.removed_at is 'When a person removed it; null: it stands.';
comment on column census.webhook.removed_by is 'Who removed it.';

create table census.webhook_delivery (
    webhook_number bigint not null references census.webhook,
    message_id text not null,
    type text not null,
    payload text not null,
    created_at timestamptz not null default now(),
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    delivered_at timestamptz,
    given_up_at timestamptz,
    last_status integer,
    last_error text,
    primary key (webhook_number, message_id),
    constraint webhook_delivery_waits_or_is_over check (num_nonnulls(next_attempt_at, delivered_at, given_up_at) = 1),
    constraint webhook_delivery_attempts check (attempts >= 0)
);
create index webhook_delivery_due on census.webhook_delivery (next_attempt_at)
where next_attempt_at is not null;
comment on table census.webhook_delivery is 'Local queue. A message to a webhook, kept until it is delivered or given up, and some weeks more.';
comment on column census.webhook_delivery.webhook_number is 'The webhook.';
comment on column census.webhook_delivery.message_id is 'The same at every attempt, and for all webhooks of the app: receivers tell repetitions by it.';
comment on column census.webhook_delivery.type is 'mass_loss.opened, mass_loss.acknowledged, mass_loss.closed or webhook.test.';
comment on column census.webhook_delivery.payload is 'The body, byte for byte as it is signed.';
comment on column census.webhook_delivery.created_at is 'When it was queued.';
comment on column census.webhook_delivery.attempts is 'Attempts begun.';
comment on column census.webhook_delivery.next_attempt_at is 'When it is due. While an attempt is under way, when others may take it for dead. Null: it is over.';
comment on column census.webhook_delivery.delivered_at is 'When the receiver took it; null: not yet.';
comment on column census.webhook_delivery.given_up_at is 'When no further attempt was to be made; null: it was not given up.';
comment on column census.webhook_delivery.last_status is 'The status of the last answer; null: none came.';
comment on column census.webhook_delivery.last_error is 'Why the last attempt failed, without address and message; null: it did not.';
