-- Placements that devices of app $1 hold twice at the same time. Spans of a placement must not overlap, or their days are
-- counted twice, in the ledger and in its check alike.
-- Returns at most five kinds, with how many spans begin before the previous one has ended.
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
