-- Adds what devices did in some months.
copy census.device_use (
    device_id, app_number, month, use, surface, kind, days, events
) from stdin (format binary)
