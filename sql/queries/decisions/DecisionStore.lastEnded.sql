-- The last day that has ended in the zone of app $1, and the newest that is closed.
select
    (now() at time zone zone)::date - 1 as last_ended,
    (
        select max(day)
        from census.closed_day
        where closed_day.app_number = app.app_number
    ) as last_closed
from census.app
where app_number = $1
