-- Changes the settings that are given; null leaves one as it is.
update census.app set
    zone = coalesce($2, zone),
    window_days = coalesce($3, window_days),
    maximum_kinds = coalesce($4, maximum_kinds),
    maximum_families = coalesce($5, maximum_families),
    limit_devices = coalesce($6, limit_devices),
    limit_share = coalesce($7, limit_share),
    ready_days = coalesce($8, ready_days),
    minimum_coverage = coalesce($9, minimum_coverage)
where app_id = $1
returning app_number
