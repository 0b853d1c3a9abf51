-- What is stored about those of devices $1 that are still due by $2.
select
    device_id,
    app_number,
    silent_at,
    reporting_until,
    due_at,
    zone,
    legacy_kinds
from census.device
where device_id = any($1::uuid[])
    and due_at <= $2
