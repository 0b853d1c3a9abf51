-- One night at a time: a second one waits here, then finds nothing to do. This comes before the transaction's first query, so
-- that its snapshot is taken once the lock is held: the whole night sees what was reconciled meanwhile, or none of it does.
set transaction isolation level repeatable read;
lock table census.closed_day in share row exclusive mode;
-- Waits only briefly for other locks: the next night continues from here.
set local lock_timeout = '1min'
