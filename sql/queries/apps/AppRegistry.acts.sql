-- Every change of the settings of app $1, oldest first; times in the app's zone.
select
    (setting_act.acted_at at time zone app.zone)::date as acted_on,
    setting_act.actor,
    setting_act.reason,
    setting_act.changes::text as changes,
    setting_act.verdicts::text as verdicts
from census.setting_act
join census.app
    on app.app_number = setting_act.app_number
where setting_act.app_number = $1
order by setting_act.act_number
