-- Removes app $1, which was never heard from, with its settings, its keys and its webhooks.
with removed_key as (
    delete from census.api_key
    where app_number = $1
),
removed_delivery as (
    delete from census.webhook_delivery
    using census.webhook
    where webhook.webhook_number = webhook_delivery.webhook_number
        and webhook.app_number = $1
),
removed_webhook as (
    delete from census.webhook
    where app_number = $1
),
removed_setting_act as (
    delete from census.setting_act
    where app_number = $1
),
removed_kind_act as (
    delete from census.kind_act
    where app_number = $1
),
removed_acknowledgement as (
    delete from census.acknowledgement
    where app_number = $1
),
removed_app_night as (
    delete from census.app_night
    where app_number = $1
)
delete from census.app
where app_number = $1
returning app_id
