-- Drops the pairs of app $1 from more than $3 days before $2: no watch looks back so far.
delete from census.pair_night
where app_number = $1
    and day < $2::date - $3::integer
