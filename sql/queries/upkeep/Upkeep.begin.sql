-- For a step, which reads some rows of a thousand devices by their keys. PostgreSQL would rather read whole days, again for each
-- step, and with helpers that take the processors from the other sweep. Plans are made for the values at hand: one that is kept
-- locks every day, and not only those that are dropped.
set local enable_seqscan = off;
set local max_parallel_workers_per_gather = 0;
set local jit = off;
set local work_mem = '32MB';
