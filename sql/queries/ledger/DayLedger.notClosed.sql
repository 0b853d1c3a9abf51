-- Notes why the days of app $1 could not be closed: fault $2 and sentence $3. With $4 the next night recounts its ledger from
-- the spans.
insert into census.app_night (app_number, fault, failure, failed_at, is_doubted)
values ($1, $2, $3, now(), $4)
on conflict (app_number) do update set
    fault = excluded.fault,
    failure = excluded.failure,
    failed_at = excluded.failed_at,
    is_doubted = app_night.is_doubted or excluded.is_doubted
