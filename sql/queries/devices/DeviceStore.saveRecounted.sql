-- Saves how devices $1 are now entered: by the days of zones $2, and with overlaps of $3 legacy kinds.
update census.device set
    zone = entered.zone,
    legacy_kinds = entered.legacy_kinds
from unnest($1::uuid[], $2::text[], $3::integer[]) as entered (device_id, zone, legacy_kinds)
where device.device_id = entered.device_id
