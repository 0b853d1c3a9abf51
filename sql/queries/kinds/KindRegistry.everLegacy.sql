-- Every kind that was ever marked legacy, by app, in the order in which they first were.
select
    app_number,
    surface,
    kind
from census.kind_act
where lifecycle <> 'active'
group by
    app_number,
    surface,
    kind
order by
    app_number,
    min(act_number)
