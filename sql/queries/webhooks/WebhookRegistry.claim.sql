-- Begins an attempt at up to $2 deliveries that are due at $1 (null: now), one for each webhook. An attempt takes $3
-- microseconds at most: after that another node takes it for dead.
with due as materialized (
    select
        webhook_delivery.webhook_number,
        webhook_delivery.message_id
    from census.webhook_delivery
    where webhook_delivery.next_attempt_at <= coalesce($1, now())
        and not exists (
            select 1
            from census.webhook_delivery as earlier
            where earlier.webhook_number = webhook_delivery.webhook_number
                and (earlier.next_attempt_at, earlier.message_id)
                < (webhook_delivery.next_attempt_at, webhook_delivery.message_id))
    order by webhook_delivery.next_attempt_at
    limit $2
    for update skip locked
)
update census.webhook_delivery set
    attempts = webhook_delivery.attempts + 1,
    next_attempt_at = coalesce($1, now()) + $3::bigint * interval '1 microsecond'
from due
join census.webhook
    on webhook.webhook_number = due.webhook_number
where webhook_delivery.webhook_number = due.webhook_number
    and webhook_delivery.message_id = due.message_id
returning
    webhook_delivery.webhook_number,
    webhook_delivery.message_id,
    webhook_delivery.type,
    webhook_delivery.payload,
    webhook_delivery.attempts,
    webhook.url,
    webhook.secret,
    webhook.allows_private,
    coalesce($1, now()) as begun_at
