insert into census_schema.version (version, name, digest)
values ($1, $2, $3)
on conflict (version) do update set
    name = excluded.name,
    digest = excluded.digest,
    applied_at = now()
