-- Every decision on kind $3 on surface $2 of app $1, oldest first; times in the app's zone.
select
    kind_act.act_number,
    (kind_act.acted_at at time zone app.zone)::date as acted_on,
    kind_act.lifecycle,
    kind_act.actor,
    kind_act.reason,
    kind_act.replaced_by,
    kind_act.devices_certain,
    kind_act.devices_possible,
    kind_act.figures ->> 'verdict' as verdict
from census.kind_act
join census.app
    on app.app_number = kind_act.app_number
where kind_act.app_number = $1
    and kind_act.surface = $2
    and kind_act.kind = $3
order by kind_act.act_number
