-- Drops the verdicts of app $1 on days that have not ended in its zone: its previous zone was further east.
delete from census.readiness
using census.app
where app.app_number = $1
    and readiness.app_number = app.app_number
    and readiness.day >= (now() at time zone app.zone)::date
