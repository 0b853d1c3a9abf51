-- Made by scripts/generate-sql from sql/ledger/open.sql and tables.toml: edit those.
-- What is left to count for app $1 through day $2: the closed days so far, and the first day of the net changes that no
-- night has taken; $3 is the app's zone.
select
    min(day) as first_closed_day,
    max(day) as last_closed_day,
    (
        select min(first_day)
        from (
            select (min(quarter_at) at time zone $3)::date as first_day from census.read_entry where app_number = $1
            union all
            select min(day) from census.kind_entry where app_number = $1
            union all
            select min(day) from census.kind_unsettled_entry where app_number = $1
            union all
            select min(day) from census.version_entry where app_number = $1
            union all
            select min(day) from census.install_entry where app_number = $1
            union all
            select min(day) from census.device_entry where app_number = $1
            union all
            select min(day) from census.change_entry where app_number = $1
            union all
            select min(day) from census.move_entry where app_number = $1
            union all
            select min(day) from census.outcome_entry where app_number = $1
            union all
            select min(day) from census.active_entry where app_number = $1
            union all
            select min(day) from census.overlap_entry where app_number = $1
            union all
            select min(day) from census.use_entry where app_number = $1
            union all
            select min(day) from census.cohort_entry where app_number = $1
        ) as entered
        where first_day <= greatest($2::date, (select max(day) from census.closed_day where app_number = $1))
    ) as first_entered_day
from census.closed_day
where app_number = $1
