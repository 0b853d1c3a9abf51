-- How many deliveries wait, and how many webhooks failed at the last attempt.
select
    (
        select count(*)
        from census.webhook_delivery
        where next_attempt_at is not null
    ) as waiting,
    (
        select count(*)
        from census.webhook
        where failing_since is not null
            and removed_at is null
    ) as failing
