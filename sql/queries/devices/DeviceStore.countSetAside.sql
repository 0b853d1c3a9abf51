-- How many devices are set aside, and how many of the others are implausible.
select
    count(*) filter (where not is_implausible) as devices,
    count(*) filter (where is_implausible) as implausible
from census.set_aside
