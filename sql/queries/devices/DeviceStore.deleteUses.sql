-- Deletes what devices $1 did in months $2, each by its use $3, surface $4 and kind $5.
delete from census.device_use
using unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[]) as gone (device_id, month, use, surface, kind)
where device_use.device_id = gone.device_id
    and device_use.month = gone.month
    and device_use.use = gone.use
    and device_use.surface = gone.surface
    and device_use.kind = gone.kind
