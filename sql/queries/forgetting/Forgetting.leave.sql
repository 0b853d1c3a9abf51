-- A device without identity that holds the past of a forgotten one: nothing was or will be heard from it.
insert into census.device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, app_version, first_heard_at, last_heard_at,
    silent_at, zone, last_ordinal, legacy_kinds)
values ($1, $2, $3, false, $4, $5, '', $6, $6, $7, $8, $9, $10)
