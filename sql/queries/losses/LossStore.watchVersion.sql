-- Begins to watch version $2 of app $1, which first appeared on $3, for $4 kinds. Returns its place in the year and the budget.
insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
select
    app.app_number,
    $2,
    $3::date,
    (
        select count(*)
        from census.loss_version
        where loss_version.app_number = $1
            and extract(year from loss_version.first_day) = extract(year from $3::date)),
    $4::integer,
    app.false_alarms
from census.app
where app.app_number = $1
returning
    place,
    false_alarms
