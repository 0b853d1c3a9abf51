-- How many devices are set aside as implausible, and how many for other reasons.
select
    count(*) filter (where not is_implausible) as devices,
    count(*) filter (where is_implausible) as implausible
from census.set_aside
