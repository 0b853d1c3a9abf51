-- Those of the transactions $1, or of all where $1 is null, that may be writing events at this moment.
--
-- A statement locks its tables before it takes the snapshot that shows which devices are forgotten, and keeps the locks until
-- its transaction ends. So a transaction that is not listed now will see every device forgotten by now. Comparing transaction
-- ids would not do: a statement has its snapshot before its transaction has an id.
select distinct virtualtransaction
from pg_locks
where locktype = 'relation'
    and database = (
        select oid
        from pg_database
        where datname = current_database())
    and relation in ('census.observation'::regclass, 'census.refused'::regclass, 'census.warned'::regclass)
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and granted
    and ($1::text[] is null or virtualtransaction = any($1::text[]))
