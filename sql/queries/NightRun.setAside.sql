-- How many devices are set aside.
select count(*) as devices
from census.set_aside
