-- How PostgreSQL reads those of the zones $1 that it knows by name, at noon of each day from 2015 through 2040.
--
-- One row per zone for its first day, and for each day whose offset from UTC, in seconds, differs from the day before.
with noon as (
    select
        known.name,
        listed.at,
        extract(epoch from (listed.at at time zone known.name) - (listed.at at time zone 'UTC'))::integer as zone_offset
    from unnest($1::text[]) as asked (name)
    inner join pg_timezone_names as known on
        known.name = asked.name
    cross join generate_series(
        '2015-01-01 12:00:00+00'::timestamptz, '2040-12-31 12:00:00+00'::timestamptz, interval '24 hours'
    ) as listed (at)
),
compared as (
    select
        name,
        at,
        zone_offset,
        lag(zone_offset) over (partition by name order by at) as offset_before
    from noon
)
select
    name,
    at,
    zone_offset
from compared
where zone_offset is distinct from offset_before
order by
    name,
    at
