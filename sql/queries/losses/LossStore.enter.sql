-- Adds pairs of reports.
copy census.pair_entry (
    app_number, day, surface, kind, from_version, to_version, is_other_os, gap, os_release, gained, pairs, lost,
    exposed_seconds
) from stdin (format binary)
