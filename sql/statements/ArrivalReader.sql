-- name: newest
-- The newest $4 arrivals of app $1 after $2, of device $3 or, if that is null, of all: accepted events, refused ones, and
-- warnings about the batch of the same device and time.
--
-- For all devices, only events of the last two days, because received_at has no index and each day is a partition.
with accepted as (
    select
        received_at,
        device_id,
        event_id,
        occurred_at
    from census.observation
    where app_number = $1
        and received_at > $2
        and ($3::uuid is null or device_id = $3)
        and ($3::uuid is not null or occurred_at > now() - interval '2 days')
    order by received_at desc
    limit $4
),
refused as (
    select
        received_at,
        device_id,
        event_id,
        code,
        message
    from census.refused
    where app_number = $1
        and received_at > $2
        and refused_on >= ($2::timestamptz at time zone 'UTC')::date
        and ($3::uuid is null or device_id = $3)
    order by received_at desc
    limit $4
),
warned as (
    select
        received_at,
        device_id,
        code,
        message,
        pointer
    from census.warned
    where app_number = $1
        and received_at > $2
        and warned_on >= ($2::timestamptz at time zone 'UTC')::date
        and ($3::uuid is null or device_id = $3)
    order by received_at desc
    limit $4
),
arrived as (
    select
        received_at,
        device_id,
        event_id,
        occurred_at,
        null::text as code,
        null::text as message,
        null::text as pointer
    from accepted
    union all
    select
        received_at,
        device_id,
        event_id,
        null,
        code,
        message,
        null
    from refused
    union all
    select
        received_at,
        device_id,
        null,
        null,
        code,
        message,
        pointer
    from warned
)
select *
from arrived
order by received_at desc
limit $4
