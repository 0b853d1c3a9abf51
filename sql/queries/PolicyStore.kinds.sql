-- Every kind that an app has, by what was decided of it last as a widget: what the gallery goes by.
with known as (
    select name as kind
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
),
act as (
    select distinct on (kind)
        kind,
        lifecycle
    from census.kind_act
    where app_number = $1
        and surface = 'widget'
    order by
        kind,
        act_number desc
)
select
    coalesce(act.kind, known.kind) as kind,
    coalesce(act.lifecycle, 'active') as lifecycle
from known
full join act
    on act.kind = known.kind
order by kind
