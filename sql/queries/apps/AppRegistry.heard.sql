-- What prevents removing app $1: whether anything of it was ever accepted, refused or counted; and its valid keys.
select
    exists (select 1 from census.known_name where app_number = $1)
        or exists (select 1 from census.pending_device where app_number = $1)
        or exists (select 1 from census.device where app_number = $1)
        or exists (select 1 from census.set_aside where app_number = $1)
        or exists (select 1 from census.refused where app_number = $1)
        or exists (select 1 from census.closed_day where app_number = $1)
        or exists (select 1 from census.read_quarter where app_number = $1)
        or exists (select 1 from census.manifest where app_number = $1) as was_heard,
    (
        select count(*)
        from census.api_key
        where app_number = $1
            and (revoked_at is null or revoked_at > now() - interval '1 minute')
    ) as keys
