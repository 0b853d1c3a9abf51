-- Adds when devices placed a kind for the first time.
copy census.device_cohort (
    device_id, app_number, surface, kind, held_from, week
) from stdin (format binary)
