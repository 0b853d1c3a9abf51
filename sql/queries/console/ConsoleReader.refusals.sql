-- What app $1's phones sent since $2 that was refused, most frequent first.
select
    code,
    sum(events)::bigint as events,
    max(day) as last_day,
    min(example collate "C") as example
from report.refused
where app_id = $1
    and day >= $2
group by code
order by
    events desc,
    code
