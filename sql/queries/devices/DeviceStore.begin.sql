-- For a step, which asks for some rows of some hundred devices by their keys.
--
-- Else PostgreSQL plans each question anew with the ids at hand, over every partition: a fifth of the step. And it reads the whole
-- queue for the next devices. One plan is kept instead, which must not be that of tables that were empty, nor be compiled. What
-- devices sent on a busy day does not fit into 4 MB to be sorted.
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
set local jit = off;
set local work_mem = '32MB';
