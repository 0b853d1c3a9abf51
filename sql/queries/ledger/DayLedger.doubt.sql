-- Makes the next night recount the ledgers of apps $1 from the spans.
insert into census.app_night (app_number, is_doubted)
select
    app_number,
    true
from unnest($1::integer[]) as listed (app_number)
group by app_number
order by app_number
on conflict (app_number) do update set
    is_doubted = excluded.is_doubted
