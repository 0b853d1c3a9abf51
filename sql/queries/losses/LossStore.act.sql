-- Records that the incident of kind $3 on surface $2 of app $1 with updates to version $4 became $5, by $6, because of $7.
insert into census.loss_act (app_number, surface, kind, to_version, state, actor, reason, figures)
select
    app_number,
    surface,
    kind,
    to_version,
    $5,
    $6,
    $7,
    to_json(loss_watch)
from census.loss_watch
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version = $4
