-- The webhooks of app $1 that were not removed, as they were added, with how many messages wait, and how many were given up,
-- less those of tests.
select
    webhook.webhook_number,
    webhook.url,
    webhook.allows_private,
    webhook.added_at,
    webhook.added_by,
    webhook.delivered_at,
    webhook.failing_since,
    webhook.last_status,
    webhook.last_error,
    webhook.gone_at,
    count(webhook_delivery.next_attempt_at) as waiting,
    count(webhook_delivery.given_up_at) filter (where webhook_delivery.type <> 'webhook.test') as given_up
from census.webhook
left join census.webhook_delivery
    on webhook_delivery.webhook_number = webhook.webhook_number
where webhook.app_number = $1
    and webhook.removed_at is null
group by webhook.webhook_number
order by webhook.webhook_number
