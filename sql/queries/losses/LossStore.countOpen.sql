select count(*)
from census.loss_watch
where state = 'open'
