-- Begins an attempt at up to $2 deliveries that are due at $1 (null: now), one for each webhook and $5 for each receiver, those to
-- the webhooks $4 that are under way on this node included. An attempt takes $3 microseconds at most: after that another node takes
-- it for dead.
with receiver as materialized (
    select
        webhook_number,
        -- Several webhooks may lead to one host, and wait for it together; a removed one leads nowhere.
        coalesce(lower(substring(url from '^[^:]+://([^/?#]*)')), webhook_number::text) as host
    from census.webhook
),
busy as (
    select
        host,
        count(*) as attempts
    from receiver
    where webhook_number = any($4::bigint[])
    group by host
),
ready as materialized (
    select
        webhook_delivery.webhook_number,
        webhook_delivery.message_id,
        row_number() over (
            partition by receiver.host
            order by webhook_delivery.next_attempt_at, webhook_delivery.message_id) + coalesce(busy.attempts, 0) as place
    from census.webhook_delivery
    join receiver
        on receiver.webhook_number = webhook_delivery.webhook_number
    left join busy
        on busy.host = receiver.host
    where webhook_delivery.next_attempt_at <= coalesce($1, now())
        and webhook_delivery.webhook_number <> all($4::bigint[])
        and not exists (
            select 1
            from census.webhook_delivery as earlier
            where earlier.webhook_number = webhook_delivery.webhook_number
                and (earlier.next_attempt_at, earlier.message_id)
                < (webhook_delivery.next_attempt_at, webhook_delivery.message_id))
),
due as materialized (
    select
        webhook_delivery.webhook_number,
        webhook_delivery.message_id
    from census.webhook_delivery
    join ready
        on ready.webhook_number = webhook_delivery.webhook_number
        and ready.message_id = webhook_delivery.message_id
    where ready.place <= $5::bigint
        -- Once more: another node may have begun it meanwhile.
        and webhook_delivery.next_attempt_at <= coalesce($1, now())
    order by webhook_delivery.next_attempt_at
    limit $2
    for update of webhook_delivery skip locked
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
