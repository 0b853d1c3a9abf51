-- Kinds that devices of app $1 held, where it is not known when they first did.
-- Returns at most five kinds, with on how many devices.
select
    concat_ws(' ', span.surface, span.kind) as cell,
    count(distinct span.device_id)::text as ledger,
    '0' as counted
from census.span
left join census.device_cohort
    on device_cohort.device_id = span.device_id
    and device_cohort.surface = span.surface
    and device_cohort.kind = span.kind
where span.app_number = $1
    and device_cohort.device_id is null
group by
    span.surface,
    span.kind
order by
    count(distinct span.device_id) desc,
    span.surface,
    span.kind
limit 5
