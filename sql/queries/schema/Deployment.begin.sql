-- The first caller sets the fingerprint; every caller gets the one that holds. A caller at the same moment waits here and
-- gets what stands then: `do nothing` would return no row.
insert into census.deployment as held (secret_fingerprint)
values ($1)
on conflict (is_single) do update set
    secret_fingerprint = held.secret_fingerprint
returning secret_fingerprint
