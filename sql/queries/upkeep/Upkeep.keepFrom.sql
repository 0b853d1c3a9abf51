-- Deletes the memory of devices forgotten more than a day before $1, which may be followed by their last events: clocks that run
-- an hour ahead are believed. Notes which apps had such devices, and that from the day $1 on every observation is kept. One
-- statement, so that any other sees either the hash or the note.
with expired as (
    delete from census.forgotten
    where forgotten_at < ($1::date - 1)::timestamp at time zone 'UTC'
        and erasing_device_id is null
    returning app_number
)
update census.retention set
    kept_from = greatest(kept_from, $1::date),
    apps_with_expired_hashes = array(
        select noted.app_number
        from unnest(apps_with_expired_hashes) as noted (app_number)
        union
        select expired.app_number
        from expired
        order by app_number)
