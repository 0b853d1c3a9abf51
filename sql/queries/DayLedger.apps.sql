-- The apps with the last day that has ended in their zone, and what is left to do.
-- A first night begins with the first day on which something was held.
select
    app.app_number,
    app.app_id,
    (now() at time zone app.zone)::date - 1 as last_ended_day,
    (select max(day) from census.closed_day where closed_day.app_number = app.app_number) as last_closed_day,
    restatement.from_day,
    (
        select (min(from_at) at time zone app.zone)::date
        from census.span
        where span.app_number = app.app_number
    ) as first_day
from census.app
left join census.restatement
    on restatement.app_number = app.app_number
where $1::text is null
    or app.app_id = $1
order by app.app_id
