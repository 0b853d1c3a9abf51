-- Made by scripts/generate-sql from sql/ledger/verifyReads.sql and tables.toml: edit those.
-- Compares the reads of app $1 with the log.
-- Returns at most five quarters of an hour in which the two differ, with the numbers of both in the order of the
-- columns.
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
    to_char(quarter_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as cell,
    concat_ws(' ', ledger_reads, ledger_reads_failed) as ledger,
    concat_ws(' ', counted_reads, counted_reads_failed) as counted
from wrong
order by cell
limit 5
