-- Adds the phases that their devices' new readings found.
copy census.phase (
    device_id, from_at, app_number, to_at, platform, os_version, app_version, gallery_policy, is_reporting, is_cloned
) from stdin (format binary)
