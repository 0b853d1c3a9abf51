-- What was done about the incident of kind $3 on surface $2 of app $1 with updates to version $4, the first act first.
select
    loss_act.state,
    loss_act.actor,
    loss_act.reason,
    (loss_act.acted_at at time zone app.zone)::date as day
from census.loss_act
join census.app
    on app.app_number = loss_act.app_number
where loss_act.app_number = $1
    and loss_act.surface = $2
    and loss_act.kind = $3
    and loss_act.to_version = $4
order by loss_act.act_number
