-- Placements that devices of app $1 hold twice at one time: each span is the only one of its time, or the days of both are
-- counted twice, in the ledger and in the check of it.
-- Answers the kinds, five at most, with how many spans begin before the one before has ended.
with in_order as (
    select
        surface,
        kind,
        from_at,
        lag(coalesce(to_at, 'infinity')) over (
            partition by device_id, surface, kind, family, intent, configuration, instance
            order by from_at) as to_at_before
    from census.span
    where app_number = $1
)
select
    concat_ws(' ', surface, kind) as cell,
    count(*)::text as ledger,
    '0' as counted
from in_order
where from_at < to_at_before
group by
    surface,
    kind
order by
    count(*) desc,
    surface,
    kind
limit 5
