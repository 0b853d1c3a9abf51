-- The apps of those of devices $1 that were counted, and whether they were heard from before what is kept. For devices without a
-- base: to look up all of them would read a page of a large table for each.
select
    device_id,
    app_number,
    coalesce(
        folded_through is not null
            and first_heard_at < (
                select kept_from::timestamp at time zone 'UTC'
                from census.retention),
        false) as is_early
from census.device
where device_id = any($1::uuid[])
