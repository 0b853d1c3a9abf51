-- Adds the reads of app $1 up to day $2, whose days are those of the zone $3.
-- Answers the days that changed.
with taken as (
    delete from census.read_entry
    where app_number = $1
        and (quarter_at at time zone $3)::date <= $2
    returning
        (quarter_at at time zone $3)::date as day,
        reads,
        reads_failed
)
insert into census.read_day (
    app_number, day, reads, reads_failed)
select
    $1,
    day,
    sum(reads),
    sum(reads_failed)
from taken
group by day
on conflict (app_number, day) do update set
    reads = read_day.reads + excluded.reads,
    reads_failed = read_day.reads_failed + excluded.reads_failed
returning read_day.day
