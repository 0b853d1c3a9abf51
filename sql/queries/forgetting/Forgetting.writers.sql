-- Of the transactions $1, or of all where that is null: those that at this moment may write events.
--
-- A statement locks its tables before it takes the snapshot by which it knows who is forgotten, and keeps the locks until
-- its transaction ends. So whoever is not among them now will know of every device that is forgotten by now. To compare
-- transaction ids would not do: a statement has its snapshot before its transaction has an id.
select distinct virtualtransaction
from pg_locks
where locktype = 'relation'
    and database = (
        select oid
        from pg_database
        where datname = current_database())
    and relation in ('census.observation'::regclass, 'census.refused'::regclass)
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and granted
    and ($1::text[] is null or virtualtransaction = any($1::text[]))
