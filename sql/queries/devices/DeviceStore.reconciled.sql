-- Remembers how far an app is reconciled.
insert into census.reconciled (app_number, as_of)
values ($1, $2)
on conflict (app_number) do update set
    as_of = greatest(reconciled.as_of, excluded.as_of)
where reconciled.as_of < excluded.as_of
