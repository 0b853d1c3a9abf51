-- The kinds of app $1 that at least $3 devices held for certain when the last closed day before $2 ended, or else the first one
-- on which any was held.
select
    surface,
    kind
from census.kind_day
where app_number = $1
    and day = coalesce(
        (
            select max(before.day)
            from census.kind_day as before
            where before.app_number = $1
                and before.day < $2),
        (
            select min(after.day)
            from census.kind_day as after
            where after.app_number = $1
                and after.day >= $2))
    and devices_certain >= $3
order by
    surface,
    kind
