-- How device $1, which is locked, is counted.
select
    app_number,
    silent_at,
    reporting_until,
    due_at,
    zone,
    legacy_kinds,
    platform,
    is_cloned
from census.device
where device_id = $1
