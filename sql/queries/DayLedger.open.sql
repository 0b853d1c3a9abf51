-- What is left to count for app $1: the first day on which something is or was held, the last closed day, and the earliest
-- day whose spans changed since, with the version of that row (see DayLedger.markClosed).
select
    least(
        (
            select (min(from_at) at time zone app.zone)::date
            from census.span
            where span.app_number = app.app_number
        ),
        (select min(day) from census.closed_day where closed_day.app_number = app.app_number)
    ) as first_day,
    (select max(day) from census.closed_day where closed_day.app_number = app.app_number) as last_closed_day,
    restatement.from_day,
    restatement.xmin::text as version
from census.app
left join census.restatement
    on restatement.app_number = app.app_number
where app.app_number = $1
