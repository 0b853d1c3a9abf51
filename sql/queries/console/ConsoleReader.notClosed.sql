-- Why the days of app $1 could not be closed when a night last tried; no row when they could.
select failure
from census.app_night
where app_number = $1
    and failure is not null
