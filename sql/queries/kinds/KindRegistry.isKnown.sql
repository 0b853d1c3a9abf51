select exists (
    select 1
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
        and name = $2)
