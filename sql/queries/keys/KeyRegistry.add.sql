insert into census.api_key (key_hash, app_number, role, channel)
select
    $1,
    app_number,
    $3,
    $4
from census.app
where app_id = $2
returning app_number
