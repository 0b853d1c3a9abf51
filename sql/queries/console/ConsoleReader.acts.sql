-- The decisions on kinds of app $1 since $2, in the app's zone, oldest first.
select
    (kind_act.acted_at at time zone app.zone)::date as day,
    kind_act.surface,
    kind_act.kind,
    kind_act.lifecycle,
    kind_act.actor
from census.kind_act
join census.app
    on app.app_number = kind_act.app_number
where kind_act.app_number = $1
    and (kind_act.acted_at at time zone app.zone)::date >= $2
order by kind_act.act_number
