insert into census.api_key (key_hash, app_number, role)
select
    $1,
    app_number,
    $3
from census.app
where app_id = $2
returning app_number
