-- The days of app $1 that a recount has to close.
with
{include missing_days}
select day
from missing
order by day
