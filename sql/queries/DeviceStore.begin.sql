-- For a step, which asks for some rows of some hundred devices by their keys.
--
-- With the ids at hand PostgreSQL would plan each question anew, over every partition, for as long as a fifth of the answer takes,
-- and read the whole queue for the next devices. One plan is kept instead, which must not be that of tables that were empty. What
-- devices sent on a busy day does not fit into 4 MB to be sorted.
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
set local work_mem = '32MB';
