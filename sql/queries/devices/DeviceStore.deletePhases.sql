-- Deletes the phases that their devices' new readings no longer hold.
delete from census.phase
using unnest($1::uuid[], $2::timestamptz[]) as gone (device_id, from_at)
where phase.device_id = gone.device_id
    and phase.from_at = gone.from_at
