-- Deletes when devices $1 placed a kind, each by its surface $2 and kind $3.
delete from census.device_cohort
using unnest($1::uuid[], $2::text[], $3::text[]) as gone (device_id, surface, kind)
where device_cohort.device_id = gone.device_id
    and device_cohort.surface = gone.surface
    and device_cohort.kind = gone.kind
