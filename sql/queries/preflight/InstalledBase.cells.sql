-- What devices of app $1 may hold that were heard from within a year, each combination once. What time alone will change is
-- drawn ahead: a span that lasts now may have its end in the future.
select distinct
    span.surface,
    span.kind,
    span.family,
    span.intent,
    device.platform,
    device.app_version
from census.span
join census.device
    on device.device_id = span.device_id
where span.app_number = $1
    and span.from_at <= now()
    and (span.to_at is null or span.to_at > now())
    and span.certain + span.presumed + span.suspect + span.either > 0
    and device.last_heard_at > now() - interval '1 year'
