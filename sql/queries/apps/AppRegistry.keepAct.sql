-- Records that $2 changed settings of app $1 because of $3: changes $4 and verdicts $5 as census.setting_act says.
insert into census.setting_act (app_number, actor, reason, changes, verdicts)
values ($1, $2, $3, $4::text::json, $5::text::json)
