-- When a night last ended without a failure; no row when none ever did.
select finished_at
from census.night_run
where finished_at is not null
    and failure is null
order by finished_at desc
limit 1
