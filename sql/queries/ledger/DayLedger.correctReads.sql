-- Gives app $1 the reads $3 and failed reads $4 more in the quarters of an hour $2. Returns the days that changed, as in
-- zone $5.
with wrong as (
    select *
    from unnest($2::timestamptz[], $3::bigint[], $4::bigint[]) as listed (quarter_at, reads, reads_failed)
),
-- Not on conflict: what is taken away is no row that could be inserted.
updated as (
    update census.read_quarter set
        reads = read_quarter.reads + wrong.reads,
        reads_failed = read_quarter.reads_failed + wrong.reads_failed
    from wrong
    where read_quarter.app_number = $1
        and read_quarter.quarter_at = wrong.quarter_at
        and not read_quarter.is_of_day
    returning read_quarter.quarter_at
),
inserted as (
    insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
    select
        $1,
        quarter_at,
        reads,
        reads_failed
    from wrong
    where quarter_at not in (select quarter_at from updated)
    returning quarter_at
)
select distinct
    (quarter_at at time zone $5)::date as day
from wrong
