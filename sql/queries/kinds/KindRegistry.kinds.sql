-- Every kind of app $1, by the last decision on surface $2.
with known as (
    select name as kind
    from census.known_name
    where app_number = $1
        and dimension = 'kind'
),
decided as (
    select
        kind,
        lifecycle
    from census.kind_state
    where app_number = $1
        and surface = $2
)
select
    coalesce(decided.kind, known.kind) as kind,
    coalesce(decided.lifecycle, 'active') as lifecycle
from known
full join decided
    on decided.kind = known.kind
order by kind
