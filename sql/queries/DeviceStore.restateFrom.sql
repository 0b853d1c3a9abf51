-- Remembers the earliest day that the next night has to count anew.
insert into census.restatement (app_number, from_day)
values ($1, $2)
on conflict (app_number) do update set
    from_day = least(restatement.from_day, excluded.from_day)
where excluded.from_day < restatement.from_day
