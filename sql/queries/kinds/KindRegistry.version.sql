select coalesce(max(act_number), 0)
from census.kind_act
where app_number = $1
