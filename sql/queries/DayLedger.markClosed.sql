-- Writes down which days are closed, and that those before were counted anew.
with restated as (
    update census.closed_day set
        restated_at = now()
    where app_number = $1
        and day between $2 and $3
        and $4
), done as (
    delete from census.restatement
    where app_number = $1
)
insert into census.closed_day (app_number, day)
select
    $1,
    listed::date
from generate_series($2::date, $3::date, interval '1 day') as listed
on conflict (app_number, day) do nothing
