-- The quarters of an hour of app $1 in which the ledger has other reads than the log: what the log has, how many more
-- that is, and their days as in zone $2.
with
{include wrong_reads}
select
    quarter_at,
    (quarter_at at time zone $2)::date as day,
    coalesce(counted_reads, 0) as counted_reads,
    coalesce(counted_reads_failed, 0) as counted_reads_failed,
    (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
    (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
from wrong
