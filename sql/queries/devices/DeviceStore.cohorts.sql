-- When devices $1 placed each kind for the first time, and when the first list of each surface arrived (kind '').
select
    device_id,
    surface,
    kind,
    held_from,
    week
from census.device_cohort
where device_id = any($1::uuid[])
