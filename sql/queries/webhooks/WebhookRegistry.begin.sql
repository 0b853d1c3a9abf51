-- Begins the one attempt to send message $3 of type $4 with payload $5 to webhook $2 of app $1, which takes $6 microseconds
-- at most.
with webhook as (
    select
        webhook_number,
        url,
        secret,
        allows_private
    from census.webhook
    where webhook_number = $2
        and app_number = $1
        and removed_at is null
),
delivery as (
    insert into census.webhook_delivery (webhook_number, message_id, type, payload, attempts, next_attempt_at)
    select
        webhook_number,
        $3,
        $4,
        $5,
        1,
        now() + $6::bigint * interval '1 microsecond'
    from webhook
    returning
        webhook_number,
        message_id,
        type,
        payload,
        created_at,
        attempts
)
select
    delivery.webhook_number,
    delivery.message_id,
    delivery.type,
    delivery.payload,
    delivery.attempts,
    webhook.url,
    webhook.secret,
    webhook.allows_private,
    delivery.created_at as begun_at
from delivery
join webhook
    on webhook.webhook_number = delivery.webhook_number
