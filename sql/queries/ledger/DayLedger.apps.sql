-- The apps with their zone, the last day that has ended there, and whether their ledger must be recounted: it was found to be
-- wrong, or a day between closed ones is not closed. And whether days are closed that lie ahead: one may, where the zone was changed.
select
    app.app_number,
    app.app_id,
    app.zone,
    (now() at time zone app.zone)::date - 1 as last_ended_day,
    coalesce(app_night.is_doubted, false)
        or coalesce(
            (
                select max(day) - min(day) + 1 > count(*)
                from census.closed_day
                where closed_day.app_number = app.app_number
            ),
            false) as is_doubted,
    coalesce(
        (
            select max(day) > (now() at time zone app.zone)::date
            from census.closed_day
            where closed_day.app_number = app.app_number
        ),
        false) as is_ahead
from census.app
left join census.app_night
    on app_night.app_number = app.app_number
where $1::text is null
    or app.app_id = $1
order by app.app_id
