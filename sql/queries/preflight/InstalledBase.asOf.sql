select as_of
from census.reconciled
where app_number = $1
