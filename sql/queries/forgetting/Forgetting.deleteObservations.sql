-- Deletes the events of device $1, in all partitions, and notes how many counted reads the log no longer has. Returns how
-- many events there were.
with deleted as (
    delete from census.observation
    where device_id = $1
    returning
        app_number,
        corrected_at,
        type = 'widgets_reported' and channel = 'production' as is_read,
        content::text like '{"error"%' as is_failed
),
erased as (
    insert into census.read_entry (
        app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased)
    select
        app_number,
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00'),
        0,
        0,
        count(*),
        count(*) filter (where is_failed)
    from deleted
    where is_read
    group by
        app_number,
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
)
select count(*) as events
from deleted
