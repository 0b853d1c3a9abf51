-- Removes webhook $2 of app $1, gives up what it waits for, and forgets its address and its secret.
with removed as (
    update census.webhook set
        url = null,
        secret = null,
        removed_at = now(),
        removed_by = $3
    where webhook_number = $2
        and app_number = $1
        and removed_at is null
    returning webhook_number
),
given_up as (
    update census.webhook_delivery set
        next_attempt_at = null,
        given_up_at = now(),
        last_error = 'the webhook was removed'
    from removed
    where webhook_delivery.webhook_number = removed.webhook_number
        and webhook_delivery.next_attempt_at is not null
    returning webhook_delivery.message_id
)
select webhook_number
from removed
