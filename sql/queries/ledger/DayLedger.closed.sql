-- Notes that the days of app $1 were closed; $2: whether its ledger was recounted from the spans for that.
insert into census.app_night (app_number, closed_at, recounted_at)
values ($1, now(), case when $2 then now() end)
on conflict (app_number) do update set
    closed_at = excluded.closed_at,
    recounted_at = coalesce(excluded.recounted_at, app_night.recounted_at),
    is_doubted = app_night.is_doubted and excluded.recounted_at is null,
    fault = null,
    failure = null,
    failed_at = null
