-- App $1, or every app, as an operator wants to see it first. Everything is read from small tables, or by the leading columns of a key.
select
    app.app_number,
    app.app_id,
    app.zone,
    (now() at time zone app.zone)::date - 1 as last_ended,
    reconciled.as_of,
    closed.last_day as last_closed,
    -- A night may be late only once there was something to close.
    (
        select min(known_name.first_seen_at)
        from census.known_name
        where known_name.app_number = app.app_number
            and known_name.dimension = 'app_version'
    ) as first_seen_at,
    coalesce(app_night.is_doubted, false) as is_doubted,
    app_night.fault,
    app_night.failure,
    case
        when closed.last_day is not null then (
            select coalesce(sum(device_day.devices_active), 0)::bigint
            from census.device_day
            where device_day.app_number = app.app_number
                and device_day.day = closed.last_day
        )
    end as devices_active,
    coalesce(read.reads, 0)::bigint as reads,
    coalesce(read.reads_failed, 0)::bigint as reads_failed,
    array(
        select loss_watch.kind
        from census.loss_watch
        where loss_watch.app_number = app.app_number
            and loss_watch.state = 'open'
        order by
            loss_watch.opened_on desc,
            loss_watch.kind
    ) as open_losses,
    coalesce(webhook.failing, 0)::bigint as webhooks_failing,
    coalesce(webhook.given_up, 0)::bigint as messages_given_up,
    exists (
        select 1
        from census.api_key
        where api_key.app_number = app.app_number
            and api_key.role = 'write'
            and api_key.revoked_at is null
    ) as has_write_key
from census.app
cross join lateral (
    select max(closed_day.day) as last_day
    from census.closed_day
    where closed_day.app_number = app.app_number
) as closed
left join census.reconciled
    on reconciled.app_number = app.app_number
left join census.app_night
    on app_night.app_number = app.app_number
-- The reads of the app's today: those that no night has taken, and those that a night took before the day ended.
left join lateral (
    select
        sum(today.reads) as reads,
        sum(today.reads_failed) as reads_failed
    from (
        select
            read_entry.reads,
            read_entry.reads_failed
        from census.read_entry
        where read_entry.app_number = app.app_number
            and read_entry.quarter_at >= date_trunc('day', now(), app.zone)
        union all
        select
            read_quarter.reads,
            read_quarter.reads_failed
        from census.read_quarter
        where read_quarter.app_number = app.app_number
            and read_quarter.quarter_at >= date_trunc('day', now(), app.zone)
            and not read_quarter.is_of_day
    ) as today
) as read
    on true
left join lateral (
    select
        count(distinct webhook.webhook_number) filter (
            where webhook.failing_since is not null
                or webhook.gone_at is not null) as failing,
        count(*) filter (
            where webhook_delivery.given_up_at > now() - interval '7 days'
                and webhook_delivery.type <> 'webhook.test') as given_up
    from census.webhook
    left join census.webhook_delivery
        on webhook_delivery.webhook_number = webhook.webhook_number
    where webhook.app_number = app.app_number
        and webhook.removed_at is null
) as webhook
    on true
where $1::integer is null
    or app.app_number = $1
order by app.app_id
