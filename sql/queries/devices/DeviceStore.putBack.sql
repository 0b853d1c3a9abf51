-- Queues devices $2 of apps $1 again, unchanged: they would have been too much for one step.
insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
select
    app_number,
    device_id,
    earliest_at,
    occurred_from
from unnest($1::integer[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as put_back (
    app_number, device_id, earliest_at, occurred_from)
