-- The quarters of an hour through day $2 of app $1, with days as in zone $3, in which the ledger has other reads than
-- the log, and how many more the log has.
with
{include wrong_reads}
select
    quarter_at,
    (coalesce(counted_reads, 0) - coalesce(ledger_reads, 0))::bigint as reads,
    (coalesce(counted_reads_failed, 0) - coalesce(ledger_reads_failed, 0))::bigint as reads_failed
from wrong
where (quarter_at at time zone $3)::date <= $2
