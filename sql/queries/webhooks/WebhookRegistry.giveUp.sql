-- Gives up what webhook $1 still waits for, at $2 (null: now): it is gone.
update census.webhook_delivery set
    next_attempt_at = null,
    given_up_at = coalesce($2, now()),
    last_error = 'the webhook was gone'
where webhook_number = $1
    and next_attempt_at is not null
returning message_id
