-- name: add
insert into census.known_name (app_number, dimension, name)
select
    $1,
    dimension,
    name
from unnest($2::text[], $3::text[]) as seen (dimension, name)
order by
    dimension,
    name
on conflict (app_number, dimension, name) do nothing

-- name: all
-- The names that app $1 has used, and those that its manifests declare.
select
    dimension,
    name,
    false as is_declared
from census.known_name
where app_number = $1
union all
select
    'kind',
    kind,
    true
from census.manifest_kind
where app_number = $1
group by kind
union all
select
    'family',
    family,
    true
from census.manifest_kind
cross join lateral unnest(families) as offered (family)
where app_number = $1
group by family
