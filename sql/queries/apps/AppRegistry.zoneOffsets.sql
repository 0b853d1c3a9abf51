-- How PostgreSQL reads the zone $1, at noon of each day from 2015 through 2040.
--
-- One row for the first day, and for each day whose offset from UTC, in seconds, differs from the day before. A name that
-- PostgreSQL does not know fails with 22023. Not by pg_timezone_names, which reads hundreds of files.
with noon as (
    select
        at,
        extract(epoch from (at at time zone $1::text) - (at at time zone 'UTC'))::integer as zone_offset
    from generate_series(
        '2015-01-01 12:00:00+00'::timestamptz, '2040-12-31 12:00:00+00'::timestamptz, interval '24 hours'
    ) as listed (at)
),
compared as (
    select
        at,
        zone_offset,
        lag(zone_offset) over (order by at) as offset_before
    from noon
)
select
    at,
    zone_offset
from compared
where zone_offset is distinct from offset_before
order by at
