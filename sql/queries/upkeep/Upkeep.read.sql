-- How long observations are kept, and from which day on.
select
    days,
    kept_from
from census.retention
