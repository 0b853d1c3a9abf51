-- Saves the zones by whose days devices $1 are now entered.
update census.device set
    zone = entered.zone
from unnest($1::uuid[], $2::text[]) as entered (device_id, zone)
where device.device_id = entered.device_id
