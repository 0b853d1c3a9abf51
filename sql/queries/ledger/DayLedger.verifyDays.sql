-- Made by scripts/generate-sql from sql/ledger/verifyDays.sql and tables.toml: edit those.
-- The days of app $1 that are neither closed nor open: a day between closed ones must be closed, and only closed days
-- have numbers.
-- Returns at most five days of each table, with how many rows it has, and how many it should have.
with
-- The days between the first closed day of app $1 and its last that are not closed.
missing as (
    select day::date as day
    from (
        select generate_series(min(day), max(day), interval '1 day') as day
        from census.closed_day
        where app_number = $1
    ) as spanned
    where day::date not in (select closed_day.day from census.closed_day where app_number = $1)
)
(
    select
        'closed_day' as table_name,
        day,
        'a day between closed ones' as cell,
        '0' as ledger,
        '1' as counted
    from missing
    order by day
    limit 5
)
union all
(
    select
        'kind_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.kind_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'kind_day_unsettled',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.kind_day_unsettled
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'version_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.version_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'install_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.install_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'device_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.device_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'change_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.change_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'move_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.move_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'outcome_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.outcome_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'active_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.active_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'overlap_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.overlap_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'use_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.use_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
union all
(
    select
        'cohort_day',
        day,
        'rows of a day that is not closed',
        count(*)::text,
        '0'
    from census.cohort_day
    where app_number = $1
        and day not in (select closed_day.day from census.closed_day where app_number = $1)
    group by day
    order by day
    limit 5
)
