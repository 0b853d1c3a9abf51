-- name: begin
-- Records that a night begins.
insert into census.night_run default values
returning run_number

-- name: end
-- Records how night $1 ended. $2 is what failed, or null.
update census.night_run set
    finished_at = now(),
    failure = $2,
    devices = $3,
    observations = $4,
    spans_changed = $5,
    days_closed = $6,
    days_restated = $7,
    partitions_made = $8,
    partitions_dropped = $9,
    reconcile_seconds = $10,
    close_seconds = $11,
    keep_seconds = $12,
    verify_seconds = $13,
    apps_failed = $14,
    ledgers_recounted = $15
where run_number = $1

-- name: lastWhole
-- When a night last ended without a failure; no row if none ever did.
select finished_at
from census.night_run
where finished_at is not null
    and failure is null
order by finished_at desc
limit 1
