-- Deletes deliveries that were over before $1.
delete from census.webhook_delivery
where coalesce(delivered_at, given_up_at) < $1
