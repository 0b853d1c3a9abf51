-- For a step, which reads a few rows of several hundred devices by their keys.
--
-- Otherwise PostgreSQL plans each query again for the ids at hand, over every partition: a fifth of the step. It also reads
-- the whole queue for the next devices. One plan is kept instead, which must not be a plan for empty tables, nor be compiled.
-- Sorting what devices send on a busy day takes more than 4 MB.
-- Citus chooses shards by the values at hand, and refuses to plan without them.
select set_config(
    'plan_cache_mode',
    case when to_regclass('pg_catalog.pg_dist_partition') is null then 'force_generic_plan' else 'auto' end,
    true);
set local enable_seqscan = off;
set local jit = off;
set local work_mem = '32MB';
