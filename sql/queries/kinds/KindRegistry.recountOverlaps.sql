-- Queues the devices of app $1 that ever held kind $2 on those of surfaces $3 where it was marked legacy for the first time just
-- now: their overlaps with other kinds are counted from now on. Nothing has to be folded again, and no partition read.
insert into census.pending_device (app_number, device_id, earliest_at, occurred_from)
select distinct
    span.app_number,
    span.device_id,
    now(),
    timestamptz '9999-12-31 00:00:00Z'
from census.span
where span.app_number = $1
    and span.kind = $2
    and span.surface = any($3::text[])
    and span.surface in (
        select surface
        from census.kind_act
        where app_number = $1
            and kind = $2
            and lifecycle <> 'active'
        group by surface
        having count(*) = 1)
