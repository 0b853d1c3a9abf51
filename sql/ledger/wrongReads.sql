-- The quarters of an hour through day $2 of app $1, with days as in zone $3, in which the ledger has other reads than
-- the log, and how many more the log has.
with
{include counted_reads}
select
    quarter_at,
    (coalesce(counted.reads, 0) - coalesce(ledger.reads, 0))::bigint as reads,
    (coalesce(counted.reads_failed, 0) - coalesce(ledger.reads_failed, 0))::bigint as reads_failed
from ledger
full join counted
    using (quarter_at)
where (quarter_at at time zone $3)::date <= $2
    and (coalesce(ledger.reads, 0), coalesce(ledger.reads_failed, 0))
        is distinct from (coalesce(counted.reads, 0), coalesce(counted.reads_failed, 0))
