-- Remembers the earliest day that the next night has to count anew.
-- It always writes: a night that is counting just now sees by the row's version that spans changed meanwhile.
insert into census.restatement (app_number, from_day)
values ($1, $2)
on conflict (app_number) do update set
    from_day = least(restatement.from_day, excluded.from_day)
