-- Compares the reads of app $1 with the log.
-- Returns at most five quarters of an hour in which the two differ, with the numbers of both in the order of the
-- columns.
with
{include counted_reads}
select
    to_char(quarter_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as cell,
    concat_ws(' ', ledger.reads, ledger.reads_failed) as ledger,
    concat_ws(' ', counted.reads, counted.reads_failed) as counted
from ledger
full join counted
    using (quarter_at)
where (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
    is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
order by cell
limit 5
