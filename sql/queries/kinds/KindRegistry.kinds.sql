-- Every kind of app $1, by the last decision on surface $2. Where $2 is null, by those on all surfaces: legacy if one says
-- so, else retired if one does, else active.
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
        lifecycle
    from census.kind_act
    where app_number = $1
        and ($2::text is null or surface = $2)
    order by
        surface,
        kind,
        act_number desc
),
decided as (
    select
        kind,
        case
            when bool_or(lifecycle = 'legacy') then 'legacy'
            when bool_or(lifecycle = 'retired') then 'retired'
            else 'active'
        end as lifecycle
    from act
    group by kind
)
select
    coalesce(decided.kind, known.kind) as kind,
    coalesce(decided.lifecycle, 'active') as lifecycle
from known
full join decided
    on decided.kind = known.kind
order by kind
