-- Every kind that an app has, by what was decided of it last.
with known as (
    select name as kind
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
),
act as (
    select distinct on (surface, kind)
        surface,
        kind,
        lifecycle,
        act_number
    from census.kind_act
    where app_number = $1
    order by
        surface,
        kind,
        act_number desc
)
select
    coalesce(act.kind, known.kind) as kind,
    coalesce(act.lifecycle, 'active') as lifecycle,
    coalesce(act.act_number, 0) as act_number
from known
full join (select * from act where surface = 'widget') as act
    on act.kind = known.kind
order by kind
