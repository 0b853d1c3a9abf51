-- For a step, which reads a few rows of several hundred devices by their keys.
--
-- Otherwise PostgreSQL plans each query again for the ids at hand, over every partition: a fifth of the step. It also reads
-- the whole queue for the next devices. One plan is kept instead, which must not be a plan for empty tables, nor be compiled.
-- Sorting what devices send on a busy day takes more than 4 MB.
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
set local jit = off;
set local work_mem = '32MB';
