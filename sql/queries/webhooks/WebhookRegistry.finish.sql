-- Ends attempt $3 at message $2 to webhook $1, at $4 (null: now): delivered ($5), to be tried again in $6 microseconds, or, with
-- $6 null, given up; the answer's status was $7, the error $8. Nothing changes where the attempt was taken for dead and
-- another one was begun.
update census.webhook_delivery set
    delivered_at = case when $5 then coalesce($4, now()) end,
    next_attempt_at = case when not $5 then coalesce($4, now()) + $6::bigint * interval '1 microsecond' end,
    given_up_at = case when not $5 and $6::bigint is null then coalesce($4, now()) end,
    last_status = $7,
    last_error = $8
where webhook_number = $1
    and message_id = $2
    and attempts = $3
    and next_attempt_at is not null
returning message_id
