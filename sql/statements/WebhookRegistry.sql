-- name: add
insert into census.webhook (app_number, url, secret, allows_private, added_by, form, console_url)
values ($1, $2, $3, $4, $5, $6, $7)
returning webhook_number

-- name: all
-- The webhooks of app $1 that were not removed, in the order in which they were added, with how many messages wait and how many
-- were given up, without tests.
select
    webhook.webhook_number as number,
    webhook.url,
    webhook.form,
    webhook.console_url,
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

-- name: begin
-- Begins the only attempt to send message $3 of type $4 with payload $5 to webhook $2 of app $1, which takes at most $6
-- microseconds.
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
    delivery.attempts as attempt,
    webhook.url,
    webhook.secret,
    webhook.allows_private,
    delivery.created_at as begun_at
from delivery
join webhook
    on webhook.webhook_number = delivery.webhook_number

-- name: claim
-- Begins an attempt at up to $2 deliveries that are due at $1 (null: now): at most one for each webhook and $5 for each
-- receiver, including those to the webhooks $4 that are under way on this node. An attempt takes at most $3 microseconds; after
-- that another node assumes that it failed.
with receiver as materialized (
    select
        webhook_number,
        -- Several webhooks can point to one host and share its limit. A removed one has no address.
        coalesce(lower(substring(url from '^[^:]+://([^/?#]*)')), webhook_number::text) as host
    from census.webhook
),
busy as (
    select
        host,
        count(*) as attempts
    from receiver
    where webhook_number = any($4::bigint[])
    group by host
),
ready as materialized (
    select
        webhook_delivery.webhook_number,
        webhook_delivery.message_id,
        row_number() over (
            partition by receiver.host
            order by webhook_delivery.next_attempt_at, webhook_delivery.message_id) + coalesce(busy.attempts, 0) as place
    from census.webhook_delivery
    join receiver
        on receiver.webhook_number = webhook_delivery.webhook_number
    left join busy
        on busy.host = receiver.host
    where webhook_delivery.next_attempt_at <= coalesce($1, now())
        and webhook_delivery.webhook_number <> all($4::bigint[])
        and not exists (
            select 1
            from census.webhook_delivery as earlier
            where earlier.webhook_number = webhook_delivery.webhook_number
                and (earlier.next_attempt_at, earlier.message_id)
                < (webhook_delivery.next_attempt_at, webhook_delivery.message_id))
),
due as materialized (
    select
        webhook_delivery.webhook_number,
        webhook_delivery.message_id
    from census.webhook_delivery
    join ready
        on ready.webhook_number = webhook_delivery.webhook_number
        and ready.message_id = webhook_delivery.message_id
    where ready.place <= $5::bigint
        -- Checked again, because another node might have begun it in the meantime.
        and webhook_delivery.next_attempt_at <= coalesce($1, now())
    order by webhook_delivery.next_attempt_at
    limit $2
    for update of webhook_delivery skip locked
)
update census.webhook_delivery set
    attempts = webhook_delivery.attempts + 1,
    next_attempt_at = coalesce($1, now()) + $3::bigint * interval '1 microsecond'
from due
join census.webhook
    on webhook.webhook_number = due.webhook_number
where webhook_delivery.webhook_number = due.webhook_number
    and webhook_delivery.message_id = due.message_id
returning
    webhook_delivery.webhook_number,
    webhook_delivery.message_id,
    webhook_delivery.type,
    webhook_delivery.payload,
    webhook_delivery.attempts as attempt,
    webhook.url,
    webhook.secret,
    webhook.allows_private,
    coalesce($1, now()) as begun_at

-- name: enqueue
-- Queues message $1 of type $2 with payloads $4 for webhooks $3, due immediately.
insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
select
    webhook_number,
    $1,
    $2,
    payload,
    now()
from unnest($3::bigint[], $4::text[]) as receiver (webhook_number, payload)

-- name: finish
-- Ends attempt $3 at message $2 to webhook $1, at $4 (null: now): delivered ($5), to be retried in $6 microseconds, or, if $6
-- is null, given up; the answer's status was $7, the error $8. Changes nothing if another node assumed that the attempt failed
-- and began a new one.
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

-- name: giveUp
-- Gives up the messages that still wait for webhook $1, at $2 (null: now), because it is gone.
update census.webhook_delivery set
    next_attempt_at = null,
    given_up_at = coalesce($2, now()),
    last_error = 'the webhook was gone'
where webhook_number = $1
    and next_attempt_at is not null
returning message_id

-- name: health
-- How many deliveries wait, and to how many webhooks the last attempt failed.
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

-- name: mark
-- Records for webhook $1 how an attempt ended at $2 (null: now): delivered ($3) or not, gone permanently ($4); the answer's
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

-- name: noteNight
-- Records that webhooks $1 were told that a night failed ($2) or that none fails any longer.
update census.webhook set
    night_failed_at = case when $2 then now() end
where webhook_number = any($1::bigint[])

-- name: receivers
-- The webhooks of app $1, or of all apps, that accept messages; or, if $2 is not null, that webhook even if it is gone.
select
    app.app_id,
    webhook.webhook_number as number,
    webhook.form,
    webhook.console_url,
    webhook.night_failed_at is not null as is_told_of_failure
from census.webhook
join census.app
    on app.app_number = webhook.app_number
where ($1::integer is null or webhook.app_number = $1)
    and webhook.removed_at is null
    and case when $2::bigint is null then webhook.gone_at is null else webhook.webhook_number = $2 end
order by webhook.webhook_number

-- name: remove
-- Removes webhook $2 of app $1, gives up its waiting messages, and deletes its address and secret.
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

-- name: sweep
-- Deletes deliveries that ended before $1.
delete from census.webhook_delivery
where coalesce(delivered_at, given_up_at) < $1
