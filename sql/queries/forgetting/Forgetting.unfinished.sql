-- Devices about which something may still be stored: an erasure was killed or gave up.
select
    forgotten.erasing_device_id,
    forgotten.forgotten_at,
    app.app_id
from census.forgotten
join census.app
    on app.app_number = forgotten.app_number
where forgotten.erasing_device_id is not null
order by forgotten.forgotten_at
