-- Losses of kind $3 on surface $2 of app $1 by updates to other versions than $4 that were accepted beforehand.
select
    to_version,
    excused
from census.loss_watch
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version <> $4
    and excused > 0
