-- One night at a time: a second one waits here, then finds nothing to do. Before the first query of the transaction, so that
-- its one snapshot is taken when the lock is held: what is reconciled meanwhile is seen by all of it or by nothing.
set transaction isolation level repeatable read;
lock table census.closed_day in share row exclusive mode;
-- What others hold is waited for briefly: the next night goes on from here.
set local lock_timeout = '1min'
