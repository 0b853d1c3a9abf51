-- The server's version, its clock, and how long the reconciler's queue of app $2, or of all, is, counted up to $1.
select
    current_setting('server_version') as version,
    now() as asked_at,
    (
        select count(*)
        from (
            select 1
            from census.pending_device
            where $2::integer is null
                or app_number = $2
            limit $1
        ) as counted
    ) as pending,
    pg_is_in_recovery() as is_standby
