-- Made by scripts/generate-sql from sql/ledger/wrongReads.sql and tables.toml: edit those.
-- The quarters of an hour of app $1 in which the ledger has other reads than the log: what the log has, how many more
-- that is, and their days as in zone $2.
with
-- The reads of app $1 by quarters of an hour where the ledger has others than the log, as far back as all of it is kept
-- and reads were counted by quarters.
whole as (
    select
        coalesce(
            greatest(
                (select kept_from::timestamp at time zone 'UTC' from census.retention),
                (
                    select max(quarter_at) + interval '1 day'
                    from census.read_quarter
                    where app_number = $1
                        and is_of_day
                )),
            '-infinity') as since
),
counted as (
    select
        date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00') as quarter_at,
        count(*) as reads,
        count(*) filter (where content::text like '{"error"%') as reads_failed
    from census.observation
    where app_number = $1
        and type = 'widgets_reported'
        and channel = 'production'
        and corrected_at >= (select since from whole)
    group by date_bin('15 minutes', corrected_at, '2000-01-01 00:00:00+00')
),
ledger as (
    select
        quarter_at,
        sum(reads)::bigint as reads,
        sum(reads_failed)::bigint as reads_failed
    from (
        -- The log no longer has the reads of forgotten devices.
        select
            quarter_at,
            reads - reads_erased as reads,
            reads_failed - reads_failed_erased as reads_failed
        from census.read_quarter
        where app_number = $1
            and not is_of_day
        union all
        select
            quarter_at,
            reads - reads_erased,
            reads_failed - reads_failed_erased
        from census.read_entry
        where app_number = $1
    ) as entered
    where quarter_at >= (select since from whole)
    group by quarter_at
),
wrong as (
    select
        quarter_at,
        ledger.reads as ledger_reads,
        ledger.reads_failed as ledger_reads_failed,
        counted.reads as counted_reads,
        counted.reads_failed as counted_reads_failed
    from ledger
    full join counted
        using (quarter_at)
    where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
        is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
)
select
    quarter_at,
    (quarter_at at time zone $2)::date as day,
    coalesce(counted_reads, 0) as counted_reads,
    coalesce(counted_reads_failed, 0) as counted_reads_failed,
    (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
    (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
from wrong
