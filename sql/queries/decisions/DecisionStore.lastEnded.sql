-- The last day that has ended in the zone of app $1.
select (now() at time zone zone)::date - 1
from census.app
where app_number = $1
