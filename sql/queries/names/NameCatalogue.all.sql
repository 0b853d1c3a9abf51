select
    dimension,
    name
from census.known_name
where app_number = $1
