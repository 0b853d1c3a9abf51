-- Compares the reads of app $1 with the log.
-- Returns at most five quarters of an hour in which the two differ, with the numbers of both in the order of the
-- columns.
with
{include wrong_reads}
select
    to_char(quarter_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as cell,
    concat_ws(' ', ledger_reads, ledger_reads_failed) as ledger,
    concat_ws(' ', counted_reads, counted_reads_failed) as counted
from wrong
order by cell
limit 5
