select
    app_number,
    app_id,
    zone,
    window_days,
    maximum_kinds,
    maximum_families,
    limit_devices,
    limit_share,
    ready_days,
    minimum_coverage,
    doubted_builds,
    false_alarms
from census.app
order by app_id
