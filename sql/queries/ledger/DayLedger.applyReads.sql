-- Adds the reads of app $1 up to day $2, with days as in zone $3, to their quarters of an hour. Returns the days that
-- changed. Reads that were only erased from the log change no number of their day.
with taken as (
    delete from census.read_entry
    where app_number = $1
        and (quarter_at at time zone $3)::date <= $2
    returning
        quarter_at,
        reads,
        reads_failed,
        reads_erased,
        reads_failed_erased
),
net as (
    select
        quarter_at,
        sum(reads) as reads,
        sum(reads_failed) as reads_failed,
        sum(reads_erased) as reads_erased,
        sum(reads_failed_erased) as reads_failed_erased
    from taken
    group by quarter_at
),
added as (
    insert into census.read_quarter (
        app_number, quarter_at, reads, reads_failed, reads_erased, reads_failed_erased, is_of_day)
    select
        $1,
        quarter_at,
        reads,
        reads_failed,
        reads_erased,
        reads_failed_erased,
        false
    from net
    on conflict (app_number, quarter_at, is_of_day) do update set
        reads = read_quarter.reads + excluded.reads,
        reads_failed = read_quarter.reads_failed + excluded.reads_failed,
        reads_erased = read_quarter.reads_erased + excluded.reads_erased,
        reads_failed_erased = read_quarter.reads_failed_erased + excluded.reads_failed_erased
    returning quarter_at
)
select distinct
    (added.quarter_at at time zone $3)::date as day
from added
join net
    on net.quarter_at = added.quarter_at
where net.reads <> 0
