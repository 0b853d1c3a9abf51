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
