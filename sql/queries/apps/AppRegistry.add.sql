insert into census.app (app_id)
values ($1)
on conflict (app_id) do nothing
returning app_number
