-- The first to come sets it; answers the one that holds. One that came at the same moment waits here, and is answered
-- what stands then: `do nothing` would answer no row.
insert into census.deployment as held (secret_fingerprint)
values ($1)
on conflict (is_single) do update set
    secret_fingerprint = held.secret_fingerprint
returning secret_fingerprint
