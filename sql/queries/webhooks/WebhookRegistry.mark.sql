-- Remembers of webhook $1 how an attempt ended at $2 (null: now): delivered ($3) or not, gone for good ($4); the answer's
-- status was $5, the error $6.
update census.webhook set
    delivered_at = case when $3 then coalesce($2, now()) else delivered_at end,
    failing_since = case when not $3 then coalesce(failing_since, $2, now()) end,
    gone_at = case when $4 then coalesce($2, now()) when not $3 then gone_at end,
    last_status = $5,
    last_error = $6
where webhook_number = $1
    and removed_at is null
returning webhook_number
