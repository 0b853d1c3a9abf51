-- Queues message $2 of type $3 with payload $4 for every webhook of app $1, due at once.
insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
select
    webhook_number,
    $2,
    $3,
    $4,
    now()
from census.webhook
where app_number = $1
    and removed_at is null
    and gone_at is null
returning webhook_number
