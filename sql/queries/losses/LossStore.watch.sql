-- Begins to watch kind $3 on surface $2 of app $1 for updates to version $4.
insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, bound, long_bound)
values ($1, $2, $3, $4, $5, $6, $7, $8)
