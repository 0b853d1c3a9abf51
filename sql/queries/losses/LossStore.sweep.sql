-- Drops the pairs of app $1, and what updates had in common, from more than $3 days before $2: no watch looks back so far.
with details as (
    delete from census.loss_detail
    where app_number = $1
        and last_day < $2::date - $3::integer
)
delete from census.pair_night
where app_number = $1
    and day < $2::date - $3::integer
